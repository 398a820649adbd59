/** A proxy below a path: it removes the path from requests, as reverse proxies do. */
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface PrefixProxy {
  /** The URL of the path, without a slash at its end. */
  readonly url: string;
  close(): void;
}

/** @param prefix such as `/films/api` @param target the URL of the server; a function where it is not known yet */
export async function openPrefixProxy(prefix: string, target: () => string): Promise<PrefixProxy> {
  const proxy = createServer((req, res) => {
    const path = req.url?.startsWith(prefix) === true ? req.url.slice(prefix.length) || '/' : undefined;
    if (path === undefined) return void res.writeHead(404).end();
    const passed = request(target() + path, { method: req.method, headers: req.headers }, (answer) => {
      res.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(res);
    });
    passed.on('error', () => res.destroy());
    res.on('close', () => passed.destroy());
    req.pipe(passed);
  });
  await new Promise<void>((done) => proxy.listen(0, '127.0.0.1', done));
  const close = (): void => {
    proxy.closeAllConnections();
    proxy.close();
  };
  return { url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}${prefix}`, close };
}
