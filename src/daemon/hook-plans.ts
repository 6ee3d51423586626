// The settings files that have hooks of ours, or may have them.
import path from 'node:path';
import { type HookPlan, hookFilesKept, type Profiles } from '../agents/index.js';

export interface OwnHookPlan extends HookPlan {
  // Null: put there by "sm hooks install" with other variables than these, and whose they are is not known.
  agent: string | null;
}

export interface HookPlaces {
  profiles: Profiles;
  // The home folder, and that of our scripts in it.
  home: string;
  hooks: string;
}

// `env` tells where agents keep their settings.
export function hookPlans(
  { profiles, home, hooks }: HookPlaces,
  env: Readonly<Record<string, string>>,
): OwnHookPlan[] {
  const backups = path.join(home, 'hooks-backup');
  const usual = profiles.all.flatMap(({ name, door }) =>
    door?.hooks ? [{ agent: name, file: door.hooks.file(env), ours: door.hooks.ours({ home, hooks }) }] : [],
  );
  const kept = hookFilesKept(backups).map((file) => ({ agent: null, file, ours: {} }));
  const all = new Map([...kept, ...usual].map((plan) => [path.resolve(plan.file), plan]));
  return [...all.values()].map((plan) => ({ ...plan, scripts: hooks, backups }));
}
