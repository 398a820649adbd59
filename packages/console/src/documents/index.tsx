/** The documents of a model: a table, or one document. */
import { lazy } from 'react';
import { isReadable, useModels } from '../api/models.ts';
import type { ViewParts } from '../layout/view.tsx';
import { Empty } from '../parts/states.tsx';
import { DocumentTable } from './document-table.tsx';

const OneDocument = lazy(() => import('../document/index.tsx'));

export default function Documents({ path: [name = '', id] }: ViewParts) {
  const model = useModels().data?.get(name);
  if (model === undefined) return <Empty>There is no model “{name}” for you.</Empty>;
  if (id !== undefined) return <OneDocument key={id} model={model} id={id === 'new' ? undefined : id} />;
  if (!isReadable(model)) return <Empty>You may not read documents of {name}.</Empty>;
  return <DocumentTable key={name} model={model} />;
}
