/** The way from a view of what the server keeps for itself to the table of its documents. */
import { Anchor } from '@mantine/core';
import { isReadable, useModel } from '../api/models.ts';
import { hrefOf } from '../route.ts';

interface TableParts {
  /** The model, such as `_webhook` (docs/own-models.md). */
  readonly of: string;
  readonly filter?: Readonly<Record<string, string>>;
  readonly sort?: string;
  readonly children: string;
}

/** A link for those who may read the model, and nothing for others. */
export function AsTable({ of: name, filter, sort, children }: TableParts) {
  if (!isReadable(useModel(name))) return null;
  const query = { sort, filter: filter === undefined ? undefined : JSON.stringify(filter) };
  return (
    <Anchor size="sm" href={hrefOf(['documents', name], query)}>
      {children}
    </Anchor>
  );
}
