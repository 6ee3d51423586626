#!/usr/bin/env bash
# bash `read -e`: each line that is submitted, as a JSON string, appended to $SM_LINES.
quote() {
  local s=${1//\\/\\\\}
  s=${s//\"/\\\"}
  s=${s//$'\t'/\\t}
  s=${s//$'\n'/\\n}
  printf '"%s"' "${s//[[:cntrl:]]/?}"
}
while IFS= read -r -e -p 'bash> ' line; do
  quote "$line" >>"$SM_LINES"
  echo >>"$SM_LINES"
done
