/** What an operator should look at, each with what to do and where. */
import { Anchor } from '@mantine/core';
import { useData } from '../../api/models.ts';
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
  factor: ['Users', hrefOf(['users'])],
  webhook: ['Webhooks', hrefOf(['webhooks'])],
  backup: ['Backups', hrefOf(['server'], { tab: 'backups' })],
};

export function AdviceList() {
  const advice = useData<readonly Advice[]>('/server/advice');
  return (
    <Loaded of={advice}>
      {(known) =>
        known.length === 0 ? (
          <Empty>There is no advice: rights, settings, indexes, users, webhooks and backups are in order.</Empty>
        ) : (
          <SimpleTable
            label="Advice"
            heads={['About', 'What to do', 'Where']}
            rows={known.map(({ kind, about, advice: text }) => [
              <span key="about" className="anywhere">
                {about}
              </span>,
              <span key="advice" className="anywhere">
                {text}
              </span>,
              <Where key="where" kind={kind} />,
            ])}
          />
        )
      }
    </Loaded>
  );
}

function Where({ kind }: { readonly kind: string }) {
  const [label, href] = (Object.hasOwn(views, kind) ? views[kind] : undefined) ?? [kind, undefined];
  if (href === undefined) return <>{label}</>;
  return (
    <Anchor size="sm" href={href}>
      {label}
    </Anchor>
  );
}
