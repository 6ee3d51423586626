// Signing in to the dashboard as it crosses the API.
import { z } from '@hono/zod-openapi';

export const SignInLink = z
  .object({
    url: z.string().openapi({ description: 'signs one browser in, once' }),
    expires_at: z.string(),
  })
  .openapi('SignInLink');

const secret = z.string().min(1).max(1024);

export const SignInRequest = z
  .union([
    z.object({ code: secret.openapi({ description: 'of a one-time link' }) }).strict(),
    z.object({ password: secret }).strict(),
    z.object({ token: secret.openapi({ description: 'that of the home folder' }) }).strict(),
  ])
  .openapi('SignInRequest');

export const SignedIn = z
  .object({
    by: z.enum(['cookie', 'token', 'socket']).openapi({ description: 'what let this request in' }),
    password: z.boolean().openapi({ description: 'a password is set' }),
  })
  .openapi('SignedIn');

export const MIN_PASSWORD = 10;

export const PasswordRequest = z
  .object({ password: z.string().min(MIN_PASSWORD).max(1024) })
  .strict()
  .openapi('PasswordRequest');

export const Exposure = z
  .object({
    hosts: z.array(z.string()).openapi({ description: 'addresses at which the dashboard can be reached' }),
    port: z.number(),
    password: z.boolean().openapi({ description: 'a password is set' }),
  })
  .openapi('Exposure');

export const ExposeRequest = z
  .object({
    host: z.string().min(1).max(64).openapi({ description: 'an address of this machine; 0.0.0.0: all' }),
    sign_in: z.enum(['password', 'token']).default('password').openapi({
      description: 'with what people there are to sign in; a password has to be set first',
    }),
  })
  .strict()
  .openapi('ExposeRequest');
