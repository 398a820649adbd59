/** Requests to providers, with limits on time and size, and without redirects. */

const largest = 1024 * 1024;

interface ProviderRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: RequestInit['body'];
}

/** @param signal ends the request @throws what `fetch` throws, and an error for a redirect or an answer of more than 1 MB */
export async function boundedFetch(
  url: string,
  { method, headers, body }: ProviderRequest,
  signal: AbortSignal,
): Promise<Response> {
  const response = await fetch(url, {
    method,
    headers: { ...headers, 'user-agent': 'dossier' },
    ...(method === 'GET' || body === undefined ? {} : { body }),
    redirect: 'error',
    signal,
  });
  const { status, headers: answered } = response;
  return new Response(await contentOf(response), { status, headers: answered });
}

/** @returns null for an answer without a body */
async function contentOf({ body }: Response): Promise<Buffer | null> {
  if (body === null) return null;
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = body.getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    const chunk = read.value as Uint8Array;
    size += chunk.length;
    if (size > largest) {
      await reader.cancel();
      throw new Error('the answer of the provider is too large');
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
