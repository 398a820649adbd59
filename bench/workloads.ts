/** What is measured: one row each. Both servers get the same requests and must give the same data. */
import { itemBody, itemCount, itemId } from './data.ts';

/** One request. */
export interface Sent {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly path: string;
  readonly body?: unknown;
}

export interface Workload {
  readonly name: string;
  /** The request of this number. */
  readonly request: (number: number) => Sent;
  /** The request carries a bearer token. */
  readonly token?: true;
}

const anyItem = (number: number): string => itemId((number * 2_654_435_761) % itemCount);

export const workloads: readonly Workload[] = [
  { name: 'get one', request: (number) => ({ method: 'GET', path: `/api/item/${anyItem(number)}` }) },
  {
    name: 'get one, bearer',
    token: true,
    request: (number) => ({ method: 'GET', path: `/api/item/${anyItem(number)}` }),
  },
  { name: 'list 100', request: () => ({ method: 'GET', path: '/api/item?limit=100' }) },
  {
    name: 'list 20, filter + sort',
    request: (number) => ({
      method: 'GET',
      path: `/api/item?filter[kind]=kind%20${number % 50}&filter[stock]=$gte:100&sort=-price&limit=20`,
    }),
  },
  { name: 'list 100 + link', request: () => ({ method: 'GET', path: '/api/item?limit=100&populate=maker' }) },
  {
    name: 'create',
    token: true,
    request: (number) => ({ method: 'POST', path: '/api/draft', body: itemBody(number) }),
  },
  {
    name: 'update',
    token: true,
    request: (number) => ({ method: 'PUT', path: `/api/item/${anyItem(number)}`, body: { stock: number % 997 } }),
  },
];
