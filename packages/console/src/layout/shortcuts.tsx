/** The keyboard shortcuts, and their list, which `?` opens. */
import { Button, Kbd, Modal, Table, Title } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { go } from '../route.ts';

const focus = (selector: string): void => document.querySelector<HTMLElement>(selector)?.focus();
const press = (selector: string): void => document.querySelector<HTMLElement>(selector)?.click();

/** Views mark what a shortcut reaches by `data-key`. */
const shortcuts: readonly (readonly [key: string, meaning: string, act: () => void])[] = [
  ['/', 'Search all models', () => press('[data-key="find"]')],
  ['s', 'Search this view', () => focus('[data-key="search"]')],
  ['f', 'Filter', () => press('[data-key="filter"]')],
  ['n', 'New document', () => press('[data-key="new"]')],
  ['j', 'Next page, or document', () => press('[data-key="next"]')],
  ['k', 'Previous page, or document', () => press('[data-key="previous"]')],
  ['h', 'Home', () => go([])],
  ['l', 'Live events', () => go(['live'])],
];

type Listed = readonly (readonly [keys: string, meaning: string])[];

const groups: readonly (readonly [title: string, keys: Listed])[] = [
  ['Everywhere', [...shortcuts.map(([key, meaning]) => [key, meaning] as const), ['?', 'This list']]],
  [
    'In the documents of a table',
    [
      ['↓ ↑', 'Next and previous row'],
      ['home end', 'First and last row'],
      ['enter', 'Open the document'],
      ['space', 'Choose the row, or no longer'],
      ['shift ↓ ↑', 'Choose a range'],
      ['shift space', 'Choose all from the last choice to here'],
      ['ctrl a', 'Choose all of the page'],
      ['esc', 'Choose none'],
    ],
  ],
  [
    'On the header of a column',
    [
      ['enter', 'Order by it'],
      ['shift ← →', 'Move it'],
      ['+ − 0', 'Wider, narrower, as the content'],
    ],
  ],
  [
    'In a document',
    [
      ['ctrl s', 'Save the document'],
      ['esc', 'Close the document beside its table'],
    ],
  ],
  [
    'In an editor',
    [
      ['ctrl enter', 'Run'],
      ['ctrl space', 'Complete'],
      ['ctrl z', 'Undo'],
      ['tab', 'Leave the editor'],
    ],
  ],
];

/** Whether a dialog or menu is open, whose keys these are then. */
const isCovered = (): boolean => document.querySelector('[aria-modal="true"], [role="menu"]') !== null;

const unlessCovered = (act: () => void) => (): void => {
  if (!isCovered()) act();
};

export function Shortcuts() {
  const [isOpen, { open, close }] = useDisclosure();
  const list = unlessCovered(open);
  useHotkeys([
    ['shift+?', list, { usePhysicalKeys: false }],
    ['?', list],
    ...shortcuts.map(([key, , act]): [string, () => void] => [key, unlessCovered(act)]),
  ]);
  useHotkeys([['mod+s', () => press('[data-key="save"]')]], []);
  return (
    <>
      <Button variant="default" size="xs" onClick={open} aria-label="Keyboard shortcuts" visibleFrom="sm">
        ?
      </Button>
      <Modal opened={isOpen} onClose={close} title="Keyboard shortcuts">
        {groups.map(([title, keys]) => (
          <section key={title} aria-label={title}>
            <Title order={3} size="h6" mt="sm">
              {title}
            </Title>
            <Keys keys={keys} />
          </section>
        ))}
      </Modal>
    </>
  );
}

const Keys = ({ keys }: { readonly keys: Listed }) => (
  <Table verticalSpacing={4} layout="fixed">
    <Table.Tbody>
      {keys.map(([key, meaning]) => (
        <Table.Tr key={key}>
          <Table.Th scope="row" w={140}>
            {key.split(' ').map((one) => (
              <Kbd key={one} mr={4}>
                {one}
              </Kbd>
            ))}
          </Table.Th>
          <Table.Td>{meaning}</Table.Td>
        </Table.Tr>
      ))}
    </Table.Tbody>
  </Table>
);
