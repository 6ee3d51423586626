// The dashboard's own files: built, hashed by name, and served to anyone, since they hold nothing but the program.
import fs from 'node:fs';
import path from 'node:path';
import type { Hono } from 'hono';
import type { Env } from './auth.js';
import { failure } from './errors.js';

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
  '.mp3': 'audio/mpeg',
  '.wav': 'audio/wav',
};

// xterm.js writes its colours and sizes into style elements of its own; scripts come from files alone.
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "media-src 'self' data:",
  "manifest-src 'self'",
  "worker-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'self'",
].join('; ');

const HEADERS = {
  'content-security-policy': POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

// What lies there belongs to the API.
const isApi = (pathname: string): boolean => /^\/(api|metrics|sessions|scheduler)(\/|$)/.test(pathname);

// What a browser may have before it is signed in.
export const isPublic = (method: string, pathname: string): boolean =>
  method === 'GET' || method === 'HEAD'
    ? !isApi(pathname)
    : method === 'POST' && pathname === '/api/v1/sign-in';

export function addPages(app: Hono<Env>, folder: string): void {
  // Known by name: no path leads out of the folder.
  let files: ReadonlySet<string> | undefined;
  const read = async (wanted: string): Promise<Buffer<ArrayBuffer> | undefined> => {
    files ??= list(folder);
    if (!files.has(wanted)) return undefined;
    return fs.promises.readFile(path.join(folder, wanted)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
      return undefined;
    });
  };
  app.get('*', async (c, next) => {
    if (isApi(c.req.path)) return next();
    // An address of the page's own is the page's business.
    const wanted = path.posix.extname(c.req.path) === '' ? '/index.html' : decode(c.req.path);
    let content = await read(wanted);
    if (!content) {
      // Another version may have come under a running daemon.
      files = undefined;
      content = await read(wanted);
    }
    if (!content) {
      if (wanted !== '/index.html') return next();
      return failure(c, 404, {
        code: 'no_dashboard',
        message: `the dashboard is not built: ${folder} has no index.html; "npm run build" builds it`,
      });
    }
    const isHashed = wanted.startsWith('/assets/');
    return c.body(content, 200, {
      ...HEADERS,
      'content-type': TYPES[path.extname(wanted)] ?? 'application/octet-stream',
      'cache-control': isHashed ? 'public, max-age=31536000, immutable' : 'no-cache',
    });
  });
}

function list(folder: string): Set<string> {
  if (!fs.existsSync(folder)) return new Set();
  const entries = fs.readdirSync(folder, { recursive: true, withFileTypes: true });
  const whole = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath ?? entry.path, entry.name));
  return new Set(whole.map((file) => `/${path.relative(folder, file).split(path.sep).join('/')}`));
}

function decode(pathname: string): string {
  try {
    return decodeURIComponent(pathname);
  } catch {
    return pathname;
  }
}
