/** The events of the audit log about indexes. */
import type { AddedEvent } from '../../core.ts';

export const indexBuilt: AddedEvent = {
  name: 'index.build',
  meaning: 'An admin had an index built; `model` names its model',
  whom: 'the index',
  after: 'backup.begun',
};

export const indexDropped: AddedEvent = {
  name: 'index.drop',
  meaning: 'An admin had an index dropped; `model` names its model',
  whom: 'the index',
  after: 'index.build',
};
