/**
 * The types of the options of model files that features add: their list, and their place in Mongoose's types. Types only.
 * Derived from the folders of the features by `npm run lists`.
 */
import type { AuditFileOptions } from './audit/model-options.ts';
import type { ChangedFileOptions } from './changed/model-options.ts';
import type { HistoryFileOptions } from './history/model-options.ts';
import type { ScheduleFileOptions } from './schedules/model-options.ts';

export type AddedFileOptions = ScheduleFileOptions & HistoryFileOptions & ChangedFileOptions & AuditFileOptions;

// Declarations of one interface merge only when their type parameters have the same names; the new members need none of them.
declare module 'mongoose' {
  interface SchemaOptions<
    DocType,
    TInstanceMethods,
    QueryHelpers,
    TStaticMethods,
    TVirtuals,
    THydratedDocumentType,
    TModelType,
  > extends AddedFileOptions {}
}
