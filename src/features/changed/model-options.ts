/** The option `changed` of model files. */
import type { ChangedHandler } from '../../define/changed.ts';
import type { AddedOption } from '../../models/options/added-option.ts';
import { handlersIn } from './config.ts';

export interface ChangedFileOptions {
  /** Called with each change of a document, in the unit of work of the write that makes it: what it throws ends that. */
  changed?: ChangedHandler | readonly ChangedHandler[];
}

export const changedOption: AddedOption<readonly ChangedHandler[]> = {
  name: 'changed',
  meaning: 'A function, or a list: called with each change of a document, in the unit of work of its write',
  read: (value) => {
    const handlers = value === undefined ? [] : handlersIn(value);
    if (handlers === undefined) throw new Error('changed must be a function or a list of functions');
    return Object.freeze([...handlers]);
  },
};
