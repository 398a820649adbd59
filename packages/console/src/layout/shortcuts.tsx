/** The keyboard shortcuts, and their list, which `?` opens. */
import { Button, Kbd, Modal, Table } from '@mantine/core';
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

export function Shortcuts() {
  const [isOpen, { open, close }] = useDisclosure();
  useHotkeys([
    ['shift+?', open, { usePhysicalKeys: false }],
    ['?', open],
    ...shortcuts.map(([key, , act]): [string, () => void] => [key, act]),
  ]);
  useHotkeys([['mod+s', () => press('[data-key="save"]')]], []);
  return (
    <>
      <Button variant="default" size="xs" onClick={open} aria-label="Keyboard shortcuts" visibleFrom="sm">
        ?
      </Button>
      <Modal opened={isOpen} onClose={close} title="Keyboard shortcuts">
        <Table>
          <Table.Tbody>
            {[
              ...shortcuts,
              ['ctrl s', 'Save the document'] as const,
              ['esc', 'Close the document'] as const,
              ['?', 'This list'] as const,
            ].map(([key, meaning]) => (
              <Table.Tr key={key}>
                <Table.Th scope="row">
                  <Kbd>{key}</Kbd>
                </Table.Th>
                <Table.Td>{meaning}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Modal>
    </>
  );
}
