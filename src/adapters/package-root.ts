/** The folder of this package, which also holds files that the server reads: its guides and its version. */
import { readFileSync } from 'node:fs';
import { programOf } from 'dossier-store/worker';

export const packageRoot: URL = new URL('../', programOf('main', import.meta.url));

let version: string | undefined;

/** The version of this package. */
export function packageVersion(): string {
  if (version === undefined) {
    const text = readFileSync(new URL('package.json', packageRoot), 'utf8');
    version = (JSON.parse(text) as { readonly version: string }).version;
  }
  return version;
}
