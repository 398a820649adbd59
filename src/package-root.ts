/** The folder of this package, which also holds files that the server reads: its guides and its version. */
import { programOf } from 'dossier-store/worker';

export const packageRoot: URL = new URL('../', programOf('main', import.meta.url));
