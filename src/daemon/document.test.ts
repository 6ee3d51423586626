// The document that is served, made from the contract alone: valid by the specification, and complete.
import fs from 'node:fs';
import { OpenAPIHono, type RouteConfig } from '@hono/zod-openapi';
import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test } from 'vitest';
import { SendRequest } from '../api/message-schemas.js';
import * as routes from '../api/routes.js';
import * as short from '../api/short-routes.js';
import { EstimatedDelivery } from '../api/short-schemas.js';
import type { Env } from './auth.js';
import { describeApi } from './document.js';

const routesOf = (module: Record<string, unknown>): RouteConfig[] =>
  Object.values(module).filter((value): value is RouteConfig => typeof value === 'object');

function document() {
  const root = new OpenAPIHono<Env>();
  const app = root.basePath('/api/v1');
  for (const route of routesOf(routes)) app.openAPIRegistry.registerPath(route);
  for (const route of routesOf(short)) root.openAPIRegistry.registerPath(route);
  return JSON.parse(JSON.stringify(describeApi([app, root], '0.0.0'))) as Described;
}

interface Described {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, { description?: string }> };
}
interface Operation {
  summary?: string;
  responses: Record<string, { content?: Record<string, { schema?: object }> }>;
}

test('it is a valid OpenAPI 3.1 document', async () => {
  const validator = new Validator();
  const { valid, errors } = await validator.validate({ ...document() });
  expect(errors ?? []).toEqual([]);
  expect([valid, validator.version]).toEqual([true, '3.1']);
});

test('a document with a fault is told from a valid one', async () => {
  const faulty = { ...document(), paths: { '/x': { get: { responses: { 200: {} } } } } };
  expect((await new Validator().validate(faulty)).valid).toBe(false);
});

test('every endpoint has a summary, and says what each of its answers holds', () => {
  const { paths } = document();
  for (const [where, methods] of Object.entries(paths))
    for (const [method, { summary, responses }] of Object.entries(methods)) {
      expect([where, method, summary]).toEqual([where, method, expect.stringMatching(/./)]);
      for (const [code, { content = {} }] of Object.entries(responses)) {
        // It has no body.
        if (code === '304') continue;
        const schemas = Object.values(content).map(({ schema }) => Object.keys(schema ?? {}).length > 0);
        expect([where, method, code, ...schemas]).toEqual([where, method, code, true]);
      }
    }
});

test.each(['/api/v1/messages', '/api/v1/replies', '/sessions/{session_id}/send'])(
  'POST %s may find a queue full',
  (where) => expect(document().paths[where]?.post?.responses).toHaveProperty('429'),
);

test('the short endpoints stand at the root, all others under /api/v1', () => {
  const outside = Object.keys(document().paths).filter((where) => !where.startsWith('/api/v1/'));
  expect(outside.sort()).toEqual([
    '/scheduler/remind',
    '/sessions/{session_id}/send',
    '/sessions/{session_id}/send-queue',
  ]);
});

test('every word for what a message waits for is explained, there and in the manual', () => {
  const { description = '' } = document().components.schemas.EstimatedDelivery ?? {};
  const manual = fs.readFileSync(new URL('../../docs/api.md', import.meta.url), 'utf8');
  for (const word of EstimatedDelivery.options) {
    expect(description).toContain(`${word}: `);
    expect(manual).toContain(`\`${word}\` |`);
  }
});

test('the manual has every endpoint, and every field of a message', () => {
  const manual = fs.readFileSync(new URL('../../docs/api.md', import.meta.url), 'utf8');
  const paths = Object.keys(document().paths).map((where) => where.replace('/api/v1', ''));
  // Three in one row.
  const listed = paths.filter((where) => !/\/hooks\/(un)?install$/.test(where));
  const isListed = (where: string): boolean =>
    [`\`${where}\``, `\`${where}?`, `### GET ${where}\n`, `### POST ${where}\n`].some((form) =>
      manual.includes(form),
    );
  expect(listed.filter((where) => !isListed(where))).toEqual([]);
  const fields = Object.keys(SendRequest.shape);
  expect(fields.filter((field) => !manual.includes(`\`${field}\``))).toEqual([]);
});
