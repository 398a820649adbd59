/** The types of routes: what a request has, and what the answer does. */
import type { JsonSchema } from '../docs/openapi/shapes.ts';
import { blockOf, keyText, partsOf, typeText } from './type-text.ts';

/** A route by its schemas; undefined where anything is accepted. */
export interface TypedRoute {
  /** Its method and path. */
  readonly name: string;
  readonly params: JsonSchema | undefined;
  readonly query: JsonSchema | undefined;
  readonly body: JsonSchema | 'none' | undefined;
  readonly answer: JsonSchema | undefined;
}

/** The interface `Routes` of the module. */
export const routesText = (routes: readonly TypedRoute[]): string =>
  `/** The routes by their methods and paths. */\nexport interface Routes ${blockOf(
    routes.map((route) => `${keyText(route.name)}: ${routeText(route)}`),
  )}\n`;

const indent = '    ';

const routeText = ({ name, params, query, body, answer }: TypedRoute): string =>
  blockOf(
    [
      `params: ${paramsText(name, params)}`,
      `query: ${query === undefined ? 'Record<string, unknown>' : typeText(query, 'request', indent)}`,
      `body: ${body === 'none' ? 'never' : typeText(body ?? {}, 'request', indent)}`,
      `answer: ${typeText(answer ?? {}, 'answer', indent)}`,
    ],
    '  ',
  );

/** The parts of the path, all of which a request has. */
function paramsText(name: string, schema: JsonSchema | undefined): string {
  const { properties = {} } = partsOf(schema ?? {});
  const names = [...name.matchAll(/:(\w+)/g)].map(([, one = '']) => one);
  const textFor = (one: string): string => {
    const text = typeText(properties[one] ?? {}, 'request', indent);
    return text === 'unknown' ? 'string | number' : text;
  };
  return blockOf(
    names.map((one) => `${keyText(one)}: ${textFor(one)}`),
    indent,
  );
}
