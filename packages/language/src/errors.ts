/** Errors with MongoDB's codes, which drivers and ODMs check. */

const names: Readonly<Record<number, string>> = {
  1: 'InternalError',
  2: 'BadValue',
  5: 'GraphContainsCycle',
  9: 'FailedToParse',
  11: 'UserNotFound',
  13: 'Unauthorized',
  14: 'TypeMismatch',
  15: 'Overflow',
  16: 'InvalidLength',
  17: 'ProtocolError',
  18: 'AuthenticationFailed',
  20: 'IllegalOperation',
  22: 'InvalidBSON',
  26: 'NamespaceNotFound',
  27: 'IndexNotFound',
  28: 'PathNotViable',
  39: 'FileStreamFailed',
  40: 'ConflictingUpdateOperators',
  43: 'CursorNotFound',
  47: 'NoMatchingDocument',
  48: 'NamespaceExists',
  50: 'MaxTimeMSExpired',
  52: 'DollarPrefixedFieldName',
  54: 'NotSingleValueField',
  56: 'EmptyFieldName',
  59: 'CommandNotFound',
  66: 'ImmutableField',
  67: 'CannotCreateIndex',
  68: 'IndexAlreadyExists',
  72: 'InvalidOptions',
  73: 'InvalidNamespace',
  79: 'UnknownReplWriteConcern',
  85: 'IndexOptionsConflict',
  86: 'IndexKeySpecsConflict',
  91: 'ShutdownInProgress',
  100: 'UnsatisfiableWriteConcern',
  112: 'WriteConflict',
  115: 'CommandNotSupported',
  117: 'ConflictingOperationInProgress',
  121: 'DocumentValidationFailure',
  136: 'CappedPositionLost',
  146: 'ExceededMemoryLimit',
  161: 'IncompatibleCollationVersion',
  165: 'ViewDepthLimitExceeded',
  166: 'CommandNotSupportedOnView',
  167: 'OptionNotSupportedOnView',
  168: 'InvalidPipelineOperator',
  171: 'CannotIndexParallelArrays',
  175: 'QueryPlanKilled',
  181: 'AmbiguousIndexKeyPattern',
  182: 'InvalidViewDefinition',
  197: 'InvalidIndexSpecificationOption',
  224: 'QueryFeatureNotAllowed',
  225: 'TransactionTooOld',
  241: 'ConversionFailure',
  251: 'NoSuchTransaction',
  257: 'TransactionTooLarge',
  260: 'InvalidResumeToken',
  263: 'OperationNotSupportedInTransaction',
  276: 'IndexBuildAborted',
  280: 'ChangeStreamFatalError',
  286: 'ChangeStreamHistoryLost',
  292: 'QueryExceededMemoryLimitNoDiskUseAllowed',
  301: 'DataCorruptionDetected',
  322: 'APIVersionError',
  323: 'APIStrictError',
  334: 'MechanismUnavailable',
  352: 'UnsupportedOpQueryCommand',
  10003: 'CannotGrowDocumentInCappedNamespace',
  10334: 'BSONObjectTooLarge',
  11000: 'DuplicateKey',
  11601: 'Interrupted',
  12587: 'BackgroundOperationInProgressForNamespace',
  14031: 'OutOfDiskSpace',
};

/** An error as a command replies it: MongoDB's code, its name and a message. */
export class StoreError extends Error {
  readonly code: number;
  readonly codeName: string;
  /** Further fields of the reply, such as `keyPattern` and `keyValue` of a duplicate key, or `errorLabels`. */
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: number, message: string, details: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.name = 'StoreError';
    this.code = code;
    this.codeName = names[code] ?? `Location${code}`;
    this.details = details;
  }
}

/** A feature that requires a MongoDB server (code 115). */
export function notSupported(what: string): StoreError {
  return new StoreError(115, `${what} is not supported by the embedded store; use a MongoDB server`);
}

/**
 * An unknown command, stage, operator or option. The code and the start of the message are MongoDB's for an unknown
 * name.
 */
export function unknownName(code: number, message: string): StoreError {
  return new StoreError(
    code,
    `${message} (the embedded store has no such name; if MongoDB does, use a MongoDB server)`,
  );
}

/** A document above the size limit. */
export function tooLarge(bytes: number, max: number): StoreError {
  return new StoreError(10334, `BSONObj size: ${bytes} is invalid. Size must be between 0 and ${max}`);
}

/** The store is full. `errInfo` names the limit. */
export const storeFull = (what: string, held: number, limit: number): StoreError =>
  new StoreError(
    14031,
    `the embedded store is full: it contains ${held} ${what}, and its limit is ${limit}; use a MongoDB server`,
    {
      errInfo: { what, limit },
    },
  );

/** The disk refused the writes of a command. None of them is kept. */
export const diskRefused = (reason: string): StoreError => new StoreError(14031, reason);

/** A text score without a `$text`. */
export const noTextScore = (): StoreError =>
  new StoreError(40218, 'query requires text score metadata, but it is not available');

/** A field name with a dollar where none is allowed. */
export const dollarName = (): StoreError =>
  new StoreError(16410, "FieldPath field names may not start with '$'. Consider using $getField or $setField.");

/** A stage that is only allowed at the start of a pipeline. */
export const notFirst = (name: string): StoreError =>
  new StoreError(40602, `${name} is only valid as the first stage in a pipeline`);

/** A stage that is not a document of one name and its operand. */
export const notOneStage = (): StoreError =>
  new StoreError(40323, 'A pipeline stage specification object must contain exactly one field.');
