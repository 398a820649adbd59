/** The frame of all views: a header, the navigation, and the view. */
import { Anchor, AppShell, Burger, Button, Drawer, Group, VisuallyHidden } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type MouseEvent, useEffect } from 'react';
import { client } from '../api/client.ts';
import { useModels } from '../api/models.ts';
import { appName } from '../app-name.ts';
import { FindAll } from '../finding/find-all.tsx';
import { noteNoTyping, noteTyping } from '../leaving.ts';
import { Loaded } from '../parts/states.tsx';
import { useShownTitle } from '../parts/tab-title.ts';
import { useNarrow } from '../parts/use-narrow.ts';
import { hrefOf, usePlace } from '../route.ts';
import { browseAsGuest } from '../session/guest.ts';
import { SignInAgain } from '../session/sign-in.tsx';
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
  useEffect(() => noteNoTyping, []);
  const models = useModels();
  const isNarrow = useNarrow();
  const navigation = <Loaded of={models}>{(known) => <Navigation models={[...known.values()]} />}</Loaded>;
  return (
    <AppShell
      header={{ height: 52 }}
      navbar={{ width: 230, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding="md"
    >
      <AppShell.Header px="md">
        <a className="skip" href="#main" onClick={skip}>
          Skip to the content
        </a>
        <Group h="100%" justify="space-between" wrap="nowrap">
          <Group wrap="nowrap" miw={0}>
            <Burger opened={isOpen} onClick={toggle} hiddenFrom="sm" size="sm" aria-label="Navigation" />
            <Anchor href={hrefOf([])} fw={700} size="lg" c="inherit" underline="never" truncate>
              {appName()}
            </Anchor>
          </Group>
          <Group gap="xs" wrap="nowrap" flex="none">
            <FindAll />
            <Shortcuts />
            {client.user === undefined ? <ToSignIn /> : <Account />}
          </Group>
        </Group>
      </AppShell.Header>
      {isNarrow ? (
        <Drawer opened={isOpen} onClose={close} title="Navigation" size={280}>
          <div onClick={(event) => (isOnLink(event) ? close() : undefined)}>{navigation}</div>
        </Drawer>
      ) : (
        <AppShell.Navbar aria-label="Navigation" style={{ overflow: 'auto' }}>
          {navigation}
        </AppShell.Navbar>
      )}
      <AppShell.Main id="main" tabIndex={-1} onInput={noteTyping}>
        <Loaded of={models}>{() => <View />}</Loaded>
        <LeavingQuestion />
      </AppShell.Main>
      <Announced />
      <SignInAgain />
    </AppShell>
  );
}

/** Another view replaces a part of the page alone: screen readers read its title, as they do that of a page. */
const Announced = () => (
  <VisuallyHidden className="announced" aria-live="polite">
    {useShownTitle()}
  </VisuallyHidden>
);

const ToSignIn = () => (
  <Button variant="default" size="xs" onClick={() => browseAsGuest(false)}>
    Sign in
  </Button>
);

/** The link of the view that is shown moves nothing, but closes the drawer. */
const isOnLink = ({ target }: MouseEvent): boolean => target instanceof Element && target.closest('a') !== null;

/** Moves the focus behind the navigation. The address stays that of the view. */
function skip(event: MouseEvent): void {
  event.preventDefault();
  document.querySelector<HTMLElement>('#main')?.focus();
}
