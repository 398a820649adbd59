/** The language of the request that causes a mail. It is kept only on servers with mails of their own. */
import { AsyncLocalStorage } from 'node:async_hooks';

const languages = new AsyncLocalStorage<string | undefined>();

/** Runs work whose mails may be in the first language of a header `Accept-Language`. */
export const inLanguage = <T>(header: string | undefined, work: () => T): T => languages.run(header, work);

/** The language that the request of the running code prefers; undefined without one. */
export function requestedLocale(): string | undefined {
  const header = languages.getStore();
  if (header === undefined) return undefined;
  const wanted = header
    .slice(0, maxHeader)
    .split(',')
    .flatMap((part) => {
      const [tag = '', ...parameters] = part.trim().split(/\s*;\s*/);
      const locale = localeOf(tag);
      const weight = weightOf(parameters);
      return locale === undefined || !(weight > 0) ? [] : [{ locale, weight }];
    });
  // the sort is stable, so of equal weights the first one stays first
  return wanted.sort((one, other) => other.weight - one.weight)[0]?.locale;
}

const maxHeader = 1000;

function weightOf(parameters: readonly string[]): number {
  const given = parameters.find((parameter) => parameter.startsWith('q='));
  return given === undefined ? 1 : Number(given.slice(2));
}

/** A language tag in its usual spelling, such as `de-AT`; undefined for what is none. */
export function localeOf(tag: unknown): string | undefined {
  if (typeof tag !== 'string' || tag.length > 35) return undefined;
  try {
    return Intl.getCanonicalLocales(tag)[0];
  } catch {
    return undefined;
  }
}
