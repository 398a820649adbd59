/** The whole paths of values that Mongoose cannot cast in an update: it names those in nested documents by the path inside these. */
import { MongooseError, type Row } from '../../models/mongoose.ts';
import { isPlainObject } from '../../models/plain-object.ts';

/** Runs an update by Mongoose. @throws Mongoose's errors, those of casting with the path that the update names */
export async function withWholePaths<T>(update: Readonly<Row>, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw error instanceof MongooseError.CastError ? withWholePath(update, error) : error;
  }
}

type CastError = InstanceType<typeof MongooseError.CastError>;

/** An error of a list or a document has that of the value in it as its reason. */
function innermost(error: CastError): CastError {
  const { reason } = error as { readonly reason?: unknown };
  return reason instanceof MongooseError.CastError && reason.path !== '' ? innermost(reason) : error;
}

function withWholePath(update: Readonly<Row>, error: CastError): CastError {
  const inner = innermost(error);
  const own = inner.path.replace(/\.\$$/, '');
  const isIt = (path: string, value: unknown): boolean =>
    (path === own || path.endsWith(`.${own}`)) && Object.is(value, inner.value);
  for (const operand of Object.values(update)) {
    const path = isPlainObject(operand) ? findPath(operand, '', isIt) : undefined;
    if (path === own) return inner;
    if (path !== undefined) return new MongooseError.CastError(inner.kind, inner.value, path, inner);
  }
  return error;
}

/** The first path whose value passes a test, in objects and lists at any depth. */
function findPath(value: object, prefix: string, test: (path: string, value: unknown) => boolean): string | undefined {
  for (const [key, inner] of Object.entries(value) as [string, unknown][]) {
    const path = prefix + key;
    if (test(path, inner)) return path;
    const below = Array.isArray(inner) || isPlainObject(inner) ? findPath(inner, `${path}.`, test) : undefined;
    if (below !== undefined) return below;
  }
  return undefined;
}
