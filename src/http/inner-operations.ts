/** The operations of a server for `api`: by their names, with values. What hooks see of a request is made here. */
import { badPath, type Failure } from '../errors/errors.ts';
import { addressOf, type InnerOperations } from '../operations/inner-request.ts';
import type { InvokeServices } from '../operations/interceptor.ts';
import type { Operation, OperationGroup } from '../operations/operation.ts';
import { enabledGroups } from '../operations/switched-on.ts';
import { detachedRequest } from './inner-request.ts';
import { preparePartOperations } from './parts.ts';
import { innerHeaders, invokeInside, type MakeParts, preparedOperation } from './prepared.ts';
import { treeFor } from './query-string.ts';

/** @param groups of the server, switched on or not */
export function innerOperations(groups: readonly OperationGroup[], services: InvokeServices): InnerOperations {
  const operations = enabledGroups(groups, services.settings).flatMap((group) => group.operations);
  const byName = new Map(operations.map((operation) => [operation.name as string, operation]));
  const parts = new Map<Operation, MakeParts>();
  const partsOf = ({ parts: rows }: Operation): MakeParts | undefined => rows && preparePartOperations(rows, services);
  const headersOf = innerHeaders(services);
  return {
    named(name) {
      const operation = byName.get(name);
      if (operation === undefined) throw unknownOperation(name, groups);
      return operation;
    },
    invoke(operation, { params, parameters, body, headers }, caller, outer) {
      const prepared = preparedOperation(operation, services);
      const makeParts = parts.get(operation) ?? partsOf(operation);
      if (makeParts !== undefined) parts.set(operation, makeParts);
      const key = parameters.length === 0 ? operation.name : `${operation.name} ${JSON.stringify(parameters)}`;
      const request = {
        ...{ params, body, key, query: treeFor(prepared, parameters, key), headers: headersOf(outer.headers, headers) },
        get url() {
          return addressOf(operation, params, parameters);
        },
      };
      const enclosing = { headers: outer.headers, express: () => detachedRequest(outer), parts: makeParts };
      return invokeInside(prepared, request, caller, enclosing);
    },
  };
}

/** An operation that is switched off is named by its path, as its users know it. */
function unknownOperation(name: string, groups: readonly OperationGroup[]): Failure {
  const off = groups.flatMap(({ operations }) => operations).find((operation) => operation.name === name);
  return badPath(`${JSON.stringify(off?.http.path ?? name.slice(0, 100))} is not a path of an operation`);
}
