/** What an operator should look at, each with what to do and where. */
import { Anchor } from '@mantine/core';
import { labelOfModel } from '../../api/labels.ts';
import { useData, useModels } from '../../api/models.ts';
import { useNames } from '../../api/names.ts';
import { SimpleTable } from '../../parts/simple-table.tsx';
import { Empty, Loaded } from '../../parts/states.tsx';
import { hrefOf } from '../../route.ts';

interface Advice {
  readonly kind: string;
  readonly about: string;
  readonly advice: string;
}

/** The view that is about a kind of advice. */
const views: Readonly<Record<string, readonly [label: string, href: string]>> = {
  right: ['Rights', hrefOf(['rights'])],
  setting: ['Settings', hrefOf(['server'])],
  index: ['Indexes', hrefOf(['server'], { tab: 'indexes' })],
  webhook: ['Webhooks', hrefOf(['webhooks'])],
  schedule: ['Schedules', hrefOf(['schedules'])],
  backup: ['Backups', hrefOf(['server'], { tab: 'backups' })],
  disk: ['Storage', hrefOf(['server'])],
};

export function AdviceList() {
  const advice = useData<readonly Advice[]>('/server/advice');
  return (
    <Loaded of={advice}>
      {(known) =>
        known.length === 0 ? (
          <Empty>There is no advice: rights, settings, indexes, users, webhooks and backups are in order.</Empty>
        ) : (
          <AdviceTable list={known} />
        )
      }
    </Loaded>
  );
}

function AdviceTable({ list }: { readonly list: readonly Advice[] }) {
  const nameOf = useNames(list.flatMap(({ kind, about }) => (kind === 'factor' ? [about] : [])));
  const models = useModels().data;
  return (
    <SimpleTable
      label="Advice"
      heads={['About', 'What to do', 'Where']}
      rows={list.map(({ kind, about, advice }) => {
        const model = models?.get(about);
        return [
          <span key="about" className="anywhere">
            {kind === 'factor' ? nameOf(about) : model === undefined ? about : labelOfModel(model)}
          </span>,
          <span key="advice" className="anywhere">
            {advice}
          </span>,
          <Where key="where" kind={kind} about={about} />,
        ];
      })}
    />
  );
}

function Where({ kind, about }: Pick<Advice, 'kind' | 'about'>) {
  const [label, href] =
    kind === 'factor'
      ? ['User', hrefOf(['users', about])]
      : ((Object.hasOwn(views, kind) ? views[kind] : undefined) ?? [kind, undefined]);
  if (href === undefined) return <>{label}</>;
  return (
    <Anchor size="sm" href={href}>
      {label}
    </Anchor>
  );
}
