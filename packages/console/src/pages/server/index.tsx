/** The server as its operators see it: its state, what to do about it, and what it has done. */
import { Tabs } from '@mantine/core';
import type { ComponentType } from 'react';
import { PageTitle } from '../../parts/page-title.tsx';
import { go, usePlace } from '../../route.ts';
import { AdviceList } from './advice.tsx';
import { Backups } from './backups.tsx';
import { Indexes } from './indexes.tsx';
import { LogLines } from './log.tsx';
import { Overview } from './overview.tsx';
import { Requests } from './requests.tsx';
import { SlowReads } from './slow.tsx';

/** The tabs, by their names in the address. */
const tabs: Readonly<Record<string, { readonly label: string; readonly Shown: ComponentType }>> = {
  overview: { label: 'Overview', Shown: Overview },
  advice: { label: 'Advice', Shown: AdviceList },
  requests: { label: 'Requests', Shown: Requests },
  slow: { label: 'Slow reads', Shown: SlowReads },
  indexes: { label: 'Indexes', Shown: Indexes },
  backups: { label: 'Backups', Shown: Backups },
  log: { label: 'Log', Shown: LogLines },
};

export default function Server() {
  const named = usePlace().query.get('tab') ?? '';
  const tab = Object.hasOwn(tabs, named) ? named : 'overview';
  return (
    <>
      <PageTitle tab={[tabs[tab]?.label ?? '', 'Server']}>Server</PageTitle>
      <Tabs
        value={tab}
        onChange={(next) => go(['server'], { tab: next === 'overview' ? undefined : (next ?? undefined) })}
        keepMounted={false}
      >
        <Tabs.List mb="md">
          {Object.entries(tabs).map(([name, { label }]) => (
            <Tabs.Tab key={name} value={name}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {Object.entries(tabs).map(([name, { Shown }]) => (
          <Tabs.Panel key={name} value={name}>
            <Shown />
          </Tabs.Panel>
        ))}
      </Tabs>
    </>
  );
}
