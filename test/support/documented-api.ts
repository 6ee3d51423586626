// The HTTP API as a stranger uses it: by its own OpenAPI document alone, which is validated, and which every request and answer
// has to fit.
import http from 'node:http';
import { Validator } from '@seriousme/openapi-schema-validator';
import { expect } from 'vitest';
import { z } from 'zod';

const DOCUMENT = '/api/v1/openapi.json';

type Schema = Parameters<typeof z.fromJSONSchema>[0];
type Content = { content?: Record<string, { schema: Schema }> };

interface Operation {
  parameters?: { name: string; in: 'path' | 'query' | 'header'; schema: Schema }[];
  requestBody?: Content;
  responses: Record<string, Content>;
}

interface Given {
  // Those of the path and of the query, by name.
  with?: Record<string, string | number | boolean>;
  body?: unknown;
}

export class DocumentedApi {
  private constructor(
    readonly socket: string,
    readonly paths: Record<string, Record<string, Operation>>,
  ) {}

  static async at(socket: string): Promise<DocumentedApi> {
    const validator = new Validator();
    const { status, body } = await request(socket, 'get', DOCUMENT);
    const { valid, errors } = await validator.validate({ ...(body as object) });
    expect([status, valid, errors ?? []]).toEqual([200, true, []]);
    const { paths } = validator.resolveRefs() as { paths: DocumentedApi['paths'] };
    return new DocumentedApi(socket, paths);
  }

  // biome-ignore lint/suspicious/noExplicitAny: it has been held against its schema
  async call(method: 'get' | 'post' | 'patch', where: string, given: Given = {}): Promise<any> {
    const operation = this.paths[where]?.[method];
    if (!operation) throw new Error(`the document has no ${method} ${where}`);
    const schema = schemaIn(operation.requestBody);
    if (schema) fits(schema, given.body, `${method} ${where}`);
    const { status, body } = await request(this.socket, method, filled(where, operation, given), given.body);
    const answer = operation.responses[status];
    if (!answer) throw new Error(`${method} ${where}: ${status} is not in the document`);
    fits(schemaIn(answer) ?? {}, body, `${method} ${where}: ${status}`);
    if (status >= 400) throw new Error(`${method} ${where}: ${JSON.stringify(body)}`);
    return body;
  }
}

const schemaIn = (part: Content | undefined): Schema | undefined =>
  part?.content?.['application/json']?.schema;

function fits(schema: Schema, value: unknown, what: string): void {
  const { success, error } = z.fromJSONSchema(schema).safeParse(value);
  if (!success) throw new Error(`${what} does not fit its schema: ${z.prettifyError(error)}`);
}

function filled(where: string, { parameters = [] }: Operation, { with: values = {} }: Given): string {
  const query = new URLSearchParams();
  let path = where;
  for (const [name, value] of Object.entries(values)) {
    const parameter = parameters.find((each) => each.name === name);
    if (!parameter) throw new Error(`${where} takes no ${name}`);
    if (parameter.in === 'path') path = path.replace(`{${name}}`, encodeURIComponent(value));
    else query.set(name, String(value));
  }
  return query.size > 0 ? `${path}?${query}` : path;
}

function request(
  socketPath: string,
  method: string,
  path: string,
  body?: unknown,
): Promise<{ status: number; body: unknown }> {
  return new Promise((resolve, reject) => {
    const headers = body === undefined ? {} : { 'content-type': 'application/json' };
    const options = { socketPath, path, method: method.toUpperCase(), headers, agent: false };
    const sent = http.request(options, async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk as Buffer);
      const text = Buffer.concat(chunks).toString('utf8');
      resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) });
    });
    sent.on('error', reject);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}
