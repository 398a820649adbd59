/** The address of a list, to which the links to its pages lead. */
import type { Context } from '../../context.ts';
import { isCredential } from '../../query/parameter-table.ts';
import { baseUrl } from '../../settings/public-url.ts';

const ofPages: ReadonlySet<string> = new Set(['page', 'after', 'before']);

/** The address up to the number or the cursor of a page: the address of the request without those and without credentials. */
export function pagesAt({ url, services }: Pick<Context, 'url' | 'services'>): string {
  const mark = url.indexOf('?');
  const path = (mark === -1 ? url : url.slice(0, mark)).replace(/^\/+/, '/');
  const parameters = new URLSearchParams(mark === -1 ? '' : url.slice(mark + 1));
  for (const name of [...parameters.keys()]) if (isCredential(name) || ofPages.has(name)) parameters.delete(name);
  const others = parameters.toString();
  return `${baseUrl(services.settings) ?? ''}${path}?${others === '' ? '' : `${others}&`}`;
}
