/** The routes among operations, for what writes their types. */
import type { JsonSchema } from '../docs/openapi/shapes.ts';
import { bodyOverHttp, type OperationGroup } from './operation.ts';

/** What a route is described by. A schema is undefined where anything is accepted. */
export interface DescribedRoute {
  /** Its method and path, such as `GET /reports/:year`. */
  readonly name: string;
  readonly params: JsonSchema | undefined;
  readonly query: JsonSchema | undefined;
  /** `none` for a method without one. */
  readonly body: JsonSchema | 'none' | undefined;
  readonly answer: JsonSchema | undefined;
}

export const describedRoutes = (groups: readonly OperationGroup[]): readonly DescribedRoute[] =>
  groups.flatMap(({ operations }) =>
    operations.flatMap((operation) => {
      const { http, input, answers } = operation;
      if (input?.own === undefined) return [];
      const body = bodyOverHttp(operation);
      const schema = body?.optional === true ? undefined : (body?.schema as JsonSchema | undefined);
      return [
        {
          name: `${http.method} ${http.path}`,
          params: input.own.params,
          query: input.own.query,
          body: body === undefined ? 'none' : schema,
          answer: dataOf(answers[200]),
        },
      ];
    }),
  );

function dataOf(answer: JsonSchema | string | undefined): JsonSchema | undefined {
  if (typeof answer !== 'object') return undefined;
  return (answer['properties'] as Readonly<Record<string, JsonSchema>> | undefined)?.['data'];
}
