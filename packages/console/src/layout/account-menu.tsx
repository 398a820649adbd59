/** The menu of the caller: colours, own account, signing out. */
import { Button, Menu, useMantineColorScheme } from '@mantine/core';
import { client, signOut } from '../api/client.ts';
import { useMe } from '../api/models.ts';
import { dropDrafts, hasDrafts } from '../drafts.ts';
import { unlessUnsaved } from '../leaving.ts';
import { icons, iconSize } from '../parts/icons.tsx';
import { run } from '../parts/run.ts';
import { useNarrow } from '../parts/use-narrow.ts';
import { useOpened } from '../parts/use-opened.ts';
import { hrefOf } from '../route.ts';

const schemes = ['light', 'dark', 'auto'] as const;
const names = { light: 'Light', dark: 'Dark', auto: 'As the system' } as const;

/** Signs out, with which the drafts of the user end. */
async function leave(): Promise<void> {
  const { user } = client;
  await signOut().finally(() => dropDrafts(user));
}

export function Account() {
  const me = useMe().data;
  const name = me?.user.name;
  const login = me?.login ?? me?.user.email ?? '';
  const isNarrow = useNarrow();
  const menu = useOpened();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Menu position="bottom-end" width={220} {...menu}>
      <Menu.Target>
        <Button
          variant="default"
          size="xs"
          maw={200}
          aria-label={`Account of ${login}${name === undefined ? '' : `, ${name}`}`}
        >
          {isNarrow ? <icons.person size={iconSize} /> : (name ?? (login || 'Account'))}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{login}</Menu.Label>
        <Menu.Item component="a" href={hrefOf(['account'])}>
          Account
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>Colours</Menu.Label>
        {schemes.map((scheme) => (
          <Menu.Item
            key={scheme}
            onClick={() => setColorScheme(scheme)}
            rightSection={scheme === colorScheme ? <icons.done size={iconSize} /> : undefined}
          >
            {names[scheme]}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item onClick={() => unlessUnsaved(() => run(leave), hasDrafts())}>Sign out</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
