/** One document: its fields, its history, what links to it, and its raw text. */
import { Anchor, Tabs, Title } from '@mantine/core';
import { useEffect } from 'react';
import { type Id, titleOf } from '../api/fields.ts';
import { labelOfModel, labelOfNew } from '../api/labels.ts';
import { type OwnModel, useMe, useModels } from '../api/models.ts';
import { keepRecent } from '../home/recent.ts';
import { isAbsent, Loaded } from '../parts/states.tsx';
import { useTabTitle } from '../parts/tab-title.ts';
import { change, go, hrefOf, usePlace } from '../route.ts';
import { Actions } from './actions.tsx';
import { EditForm } from './edit-form.tsx';
import { History } from './history/index.tsx';
import { LinksHere } from './links-here.tsx';
import { NewForm } from './new-form.tsx';
import { NoDocument } from './no-document.tsx';
import { Raw } from './raw.tsx';
import { type Revision, useDocument } from './use-document.ts';

interface DocumentParts {
  readonly model: OwnModel;
  /** Undefined for a new document. */
  readonly id: string | undefined;
  /** Where it is shown beside the table of the others: how that is left, and whether the table is hidden. */
  readonly beside?: Beside;
}

interface Beside {
  readonly close: () => void;
  readonly isAlone: boolean;
}

export default function OneDocument({ model, id, beside }: DocumentParts) {
  return id === undefined ? <New model={model} /> : <Existing model={model} id={id} beside={beside} />;
}

function New({ model }: { readonly model: OwnModel }) {
  useTabTitle(labelOfNew(model));
  return (
    <>
      <Title order={1} size="h3" mb="md" className="document-title">
        {labelOfNew(model)}
      </Title>
      <NewForm model={model} />
    </>
  );
}

interface ExistingParts {
  readonly model: OwnModel;
  readonly id: string;
  readonly beside: Beside | undefined;
}

function Existing({ model, id, beside }: ExistingParts) {
  const loaded = useDocument(model.name, id);
  const tab = usePlace().query.get('tab') ?? 'form';
  const title = loaded.data === undefined ? '' : titleOf(loaded.data.document, model);
  const parts = isAbsent(loaded.error) ? ['No such document'] : [title, namedTab(tab)];
  useTabTitle(...parts, labelOfModel(model));
  return (
    <Loaded of={loaded} absent={<NoDocument model={model} />}>
      {(revision) => <Shown {...{ model, revision, beside }} reload={() => void loaded.refetch()} />}
    </Loaded>
  );
}

/** The tabs, by their names in the address. */
const tabs: Readonly<Record<string, string>> = { form: 'Fields', history: 'History', links: 'Links here', raw: 'Raw' };

/** What the title of the browser's tab names: not the first tab, which is the document itself. */
const namedTab = (tab: string): string => (tab !== 'form' && Object.hasOwn(tabs, tab) ? (tabs[tab] ?? '') : '');

interface ShownParts {
  readonly model: OwnModel;
  readonly revision: Revision;
  readonly reload: () => void;
  readonly beside: Beside | undefined;
}

function Shown({ model, revision, reload, beside }: ShownParts) {
  const tab = usePlace().query.get('tab') ?? 'form';
  const { document } = revision;
  useRecent(model.name, document._id);
  return (
    <>
      <Title order={beside?.isAlone === false ? 2 : 1} size="h3" className="anywhere document-title" dir="auto">
        {titleOf(document, model)}
      </Title>
      <Actions
        {...{ model, revision, reload }}
        leave={beside?.close ?? (() => go(['documents', model.name]))}
        back={beside === undefined ? <AllOf model={model} /> : null}
      />
      <Tabs
        value={tab}
        onChange={(next) => change({ tab: next === 'form' ? undefined : (next ?? undefined) })}
        keepMounted={false}
      >
        <Tabs.List mb="md">
          {Object.entries(tabs)
            .filter(([name]) => name !== 'history' || model.history === true)
            .map(([name, label]) => (
              <Tabs.Tab key={name} value={name}>
                {label}
              </Tabs.Tab>
            ))}
        </Tabs.List>
        <Tabs.Panel value="form">
          <EditForm {...{ model, revision, reload }} />
        </Tabs.Panel>
        <Tabs.Panel value="raw">
          <Raw model={model} document={document} />
        </Tabs.Panel>
        <Tabs.Panel value="links">
          <LinksHere model={model} id={document._id} />
        </Tabs.Panel>
        {model.history === true ? (
          <Tabs.Panel value="history">
            <History {...{ model, revision, reload }} />
          </Tabs.Panel>
        ) : null}
      </Tabs>
    </>
  );
}

/** Keeps that the caller has opened a document, for the home page, which has no documents of the server's own models. */
function useRecent(model: string, id: Id): void {
  const user = useMe().data?.user._id;
  const isKept = useModels().data?.has(model) === true;
  useEffect(() => {
    if (user !== undefined && isKept) keepRecent(user, { model, id });
  }, [user, isKept, model, id]);
}

const AllOf = ({ model }: { readonly model: OwnModel }) => (
  <Anchor href={hrefOf(['documents', model.name])} size="sm" className="way">
    All {labelOfModel(model)}
  </Anchor>
);
