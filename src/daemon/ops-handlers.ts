// Handlers for backups, the exported history, and the uninstallation.
import fs from 'node:fs';
import path from 'node:path';
import type { OpenAPIHono } from '@hono/zod-openapi';
import type { TypedResponse } from 'hono';
import { stream } from 'hono/streaming';
import * as routes from '../api/routes.js';
import { SessionError } from '../sessions/index.js';
import { backupDatabase, StoreError } from '../store/index.js';
import type { Env } from './auth.js';
import { exportPages } from './export.js';
import { type UninstallDeps, uninstall } from './uninstall.js';

export interface OpsHandlerDeps extends UninstallDeps {
  database: string;
}

export function addOpsHandlers(app: OpenAPIHono<Env>, deps: OpsHandlerDeps): void {
  app.openapi(routes.makeBackup, async (c) => {
    const { file, replace } = c.req.valid('json');
    requireTarget(file, deps.database, replace);
    const made = await backupDatabase(deps.database, file).catch((error: unknown) => {
      throw error instanceof StoreError ? new SessionError('conflict', error.message) : error;
    });
    return c.json({ file, ...made }, 200);
  });

  app.openapi(routes.exportHistory, (c) => {
    const { since } = c.req.valid('query');
    c.header('content-type', 'application/jsonl; charset=utf-8');
    const pages = exportPages(deps.history, since === undefined ? 0 : Date.parse(since));
    const response: Response = stream(c, async (out) => {
      for (const page of pages) {
        if (out.aborted) return;
        await out.write(page);
      }
    });
    return response as Response & TypedResponse<never, 200, 'json'>;
  });

  app.openapi(routes.uninstall, async (c) => {
    const { env, dry_run } = c.req.valid('json');
    return c.json(await uninstall(deps, env, dry_run ? 'look' : 'remove'), 200);
  });
}

function requireTarget(file: string, database: string, replace: boolean): void {
  const wrong = (message: string, expected: string): SessionError =>
    new SessionError('invalid', message, { field: 'file', value: file, expected });
  if (!path.isAbsolute(file)) throw wrong(`${file} is no whole path`, 'the whole path of a file');
  const own = ['', '-journal', '-shm', '-wal'].map((end) => `${database}${end}`);
  if (own.includes(path.resolve(file))) throw wrong(`${file} is the database itself`, 'another file');
  const folder = path.dirname(file);
  if (!fs.statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw wrong(`there is no folder ${folder}`, 'a file in a folder that exists');
  const there = fs.statSync(file, { throwIfNoEntry: false });
  if (there && !there.isFile()) throw wrong(`${file} is no file`, 'the name of a file');
  if (there && !replace)
    throw new SessionError('conflict', `${file} is there already`, {
      field: 'file',
      value: file,
      expected: 'a name that is free; or --force to replace it',
    });
}
