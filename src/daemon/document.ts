// The OpenAPI document: every endpoint of the given apps in one, and how to be let in.
import type { OpenAPIHono } from '@hono/zod-openapi';
import type { Env } from './auth.js';

type Document = ReturnType<OpenAPIHono['getOpenAPI31Document']>;

export function describeApi(apps: readonly OpenAPIHono<Env>[], version: string): Document {
  const config = {
    openapi: '3.1.0',
    info: {
      title: 'Suremail',
      version,
      description: 'A post office for coding agents in tmux panes.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: 'http://127.0.0.1:4747', description: '"sm status" shows the url' }],
    security: [{ token: [] }],
  };
  const documents = apps.map((app) => app.getOpenAPI31Document(config));
  const all = <T extends object>(part: (document: Document) => T | undefined): T =>
    Object.assign({}, ...documents.map(part)) as T;
  return {
    ...config,
    paths: all(({ paths }) => paths),
    components: {
      schemas: all(({ components }) => components?.schemas),
      securitySchemes: {
        token: {
          type: 'http',
          scheme: 'bearer',
          description: 'the content of the file "token" in the home folder; the Unix socket needs none',
        },
      },
    },
  };
}
