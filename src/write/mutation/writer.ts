/** Who writes mutations (types only): the caller or the server, the services, and the unit of work. */
import type { Services } from '../../services.ts';
import type { Author, UnitOfWork, WriteProgress } from '../contract.ts';

/** The writer of mutations: the user, the model's services and the unit of work. */
export interface Writer extends Author {
  readonly services: Pick<Services, 'bus' | 'inTransaction' | 'recorders'> &
    Partial<Pick<Services, 'reads' | 'shares'>>;
  /** The unit of work of the write; undefined for a single write. */
  readonly unit?: UnitOfWork | undefined;
  /** Whether it holds the mutex of units that run alone. */
  readonly runsAlone?: boolean | undefined;
  /** Which writes of the request have been sent; undefined for writes without a time limit. */
  readonly progress?: WriteProgress | undefined;
  /** Subscribers are not notified; caches and sessions are. */
  readonly silent: boolean;
  /** Recorders that react to what is written are left out. */
  readonly skipsReactions?: boolean | undefined;
}
