/** The frame of all views: a header, the navigation, and the view. */
import { Anchor, AppShell, Burger, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useEffect } from 'react';
import { useModels } from '../api/models.ts';
import { appName } from '../app-name.ts';
import { FindAll } from '../finding/find-all.tsx';
import { Loaded } from '../parts/states.tsx';
import { hrefOf, usePlace } from '../route.ts';
import { Account } from './account-menu.tsx';
import { LeavingQuestion } from './leaving-question.tsx';
import { Navigation } from './navigation.tsx';
import { Shortcuts } from './shortcuts.tsx';
import { View } from './view.tsx';

export function Shell() {
  const [isOpen, { toggle, close }] = useDisclosure();
  const { path } = usePlace();
  const place = path.join('/');
  useEffect(close, [close, place]);
  const models = useModels();
  return (
    <AppShell
      header={{ height: 52 }}
      navbar={{ width: 230, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding="md"
    >
      <AppShell.Header px="md">
        <Group h="100%" justify="space-between" wrap="nowrap">
          <Group wrap="nowrap">
            <Burger opened={isOpen} onClick={toggle} hiddenFrom="sm" size="sm" aria-label="Navigation" />
            <Anchor href={hrefOf([])} fw={700} size="lg" c="inherit" underline="never">
              {appName()}
            </Anchor>
          </Group>
          <Group gap="xs" wrap="nowrap">
            <FindAll />
            <Shortcuts />
            <Account />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar aria-label="Views" style={{ overflow: 'auto' }}>
        <Loaded of={models}>{(known) => <Navigation models={[...known.values()]} />}</Loaded>
      </AppShell.Navbar>
      <AppShell.Main>
        <Loaded of={models}>{() => <View />}</Loaded>
        <LeavingQuestion />
      </AppShell.Main>
    </AppShell>
  );
}
