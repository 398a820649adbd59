/** The banner: the lines that a server prints for its operator when it listens. */
import type { Services } from '../services.ts';
import type { Settings } from '../settings/types.ts';
import type { Storage } from './storage.ts';

export function bannerOf(
  url: string,
  { database, moved }: Storage,
  { registry, feed, setupToken, settings }: Services,
): string[] {
  return [
    `Dossier listens on ${url}`,
    `Database: ${database}`,
    `Models: ${registry.served.map(({ name }) => name).join(', ')}`,
    ...(feed.shared
      ? []
      : ['Realtime: this database has no change streams, so each server reports only its own writes']),
    ...(setupToken === undefined
      ? []
      : [`POST /setup requires the header x-setup-token: ${shown(setupToken, settings)}`]),
    ...moved,
  ];
}

/** The setup token for the banner; one that the operator has set is not printed. */
const shown = (token: string, { setup_token }: Settings): string => (setup_token === undefined ? token : 'SETUP_TOKEN');
