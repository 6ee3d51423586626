// The endpoints for other machines.
import { createRoute, z } from '@hono/zod-openapi';
import * as h from './host-schemas.js';
import { body, failures, json } from './route-parts.js';

const hostRef = z.object({ host: z.string().openapi({ param: { name: 'host', in: 'path' } }) });

export const listHosts = createRoute({
  method: 'get',
  path: '/hosts',
  summary: 'The machines that are reached over ssh',
  responses: { 200: json(z.object({ hosts: z.array(h.Host) }), 'hosts, oldest first') },
});

export const addHost = createRoute({
  method: 'post',
  path: '/hosts',
  summary: 'Remember a machine; nothing is connected to yet',
  request: body(h.HostRequest),
  responses: { 201: json(h.Host, 'added'), ...failures },
});

export const removeHost = createRoute({
  method: 'delete',
  path: '/hosts/{host}',
  summary: 'Forget a machine; refused while there are sessions on it',
  request: { params: hostRef },
  responses: { 200: json(h.Host, 'as it was'), ...failures },
});

export const checkHost = createRoute({
  method: 'post',
  path: '/hosts/{host}/check',
  summary: 'Connect now, and tell how far that goes',
  request: { params: hostRef },
  responses: { 200: json(h.HostCheck, 'each step'), ...failures },
});
