/** The addresses of the next and the previous page: the same request with another `page`, without credentials. */

const credentials = /^(apikey|jwt)$/i;

/** @param url path and query string of the request @param base the public base URL, if any */
export function pageUrl(url: string, page: number, base: string | undefined): string {
  const mark = url.indexOf('?');
  const path = mark === -1 ? url : url.slice(0, mark);
  const parameters = new URLSearchParams(mark === -1 ? '' : url.slice(mark + 1));
  for (const name of [...parameters.keys()]) if (credentials.test(name.replace(/\[.*$/, ''))) parameters.delete(name);
  parameters.set('page', String(page));
  const relative = `${path.replace(/^\/+/, '/')}?${parameters.toString()}`;
  return base === undefined ? relative : base + relative;
}
