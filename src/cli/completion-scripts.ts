// What a shell needs to complete `sm`: each script asks `sm __complete` for the candidates, so it never grows old.
export type Shell = 'bash' | 'zsh' | 'fish';

// Bash splits words at "=", so they are put together again, and what stands before it is not repeated in the answer.
const BASH = String.raw`# Completion of sm for bash. In ~/.bashrc: eval "$(sm completion bash)"
_sm() {
  local words=() word value current i
  for ((i = 1; i <= COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    if ((\${#words[@]} > 0)) && [[ $word == "=" || \${COMP_WORDS[i - 1]} == "=" ]]; then
      words[\${#words[@]} - 1]+=$word
    else
      words+=("$word")
    fi
  done
  current=\${words[\${#words[@]} - 1]}
  COMPREPLY=()
  while IFS=$'\t' read -r value _; do
    case $value in
      :files) compopt -o filenames 2>/dev/null; while IFS= read -r value; do COMPREPLY+=("$value"); done < <(compgen -f -- "$current") ;;
      :folders) compopt -o filenames 2>/dev/null; while IFS= read -r value; do COMPREPLY+=("$value"); done < <(compgen -d -- "$current") ;;
      *) if [[ $current == *=* ]]; then COMPREPLY+=("\${value#*=}"); else COMPREPLY+=("$value"); fi ;;
    esac
  done < <("\${COMP_WORDS[0]}" __complete "\${words[@]}" 2>/dev/null)
}
complete -F _sm sm
`.replaceAll('\\${', '${');

const ZSH = String.raw`#compdef sm
# Completion of sm for zsh. In ~/.zshrc, after compinit: eval "$(sm completion zsh)"
_sm() {
  local -a lines candidates
  local line
  lines=("\${(@f)$("\${words[1]}" __complete "\${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
  case "\${lines[1]}" in
    :files) _files; return ;;
    :folders) _files -/; return ;;
    '') return 1 ;;
  esac
  for line in "\${lines[@]}"; do
    candidates+=("\${\${line%%$'\t'*}//:/\\:}:\${line#*$'\t'}")
  done
  _describe -t sm 'sm' candidates
}
if [[ "\${funcstack[1]}" == _sm ]]; then
  _sm "$@"
else
  compdef _sm sm
fi
`.replaceAll('\\${', '${');

const FISH = String.raw`# Completion of sm for fish: sm completion fish > ~/.config/fish/completions/sm.fish
function __sm_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -e words[1]
    set -l lines (command sm __complete $words "$current" 2>/dev/null)
    switch "$lines[1]"
        case :files
            __fish_complete_path "$current"
        case :folders
            __fish_complete_directories "$current"
        case '*'
            test (count $lines) -gt 0; and printf '%s\n' $lines
    end
end
complete -c sm -f -a '(__sm_complete)'
`;

export const COMPLETION_SCRIPTS: Record<Shell, string> = { bash: BASH, zsh: ZSH, fish: FISH };
