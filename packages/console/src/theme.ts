/** Colours with enough contrast for text (WCAG 2.2, 1.4.3), in light and dark. */
import { createTheme, type CSSVariablesResolver, Drawer, Menu, Modal, Notification } from '@mantine/core';

const dialogProps = {
  // its header is not that of the page
  attributes: { header: { role: 'none' } },
  closeButtonProps: { 'aria-label': 'Close' },
};

export const theme = createTheme({
  primaryShade: { light: 8, dark: 8 },
  autoContrast: true,
  cursorType: 'pointer',
  respectReducedMotion: true,
  fontFamily: 'system-ui, sans-serif',
  components: {
    Drawer: Drawer.extend({ defaultProps: dialogProps }),
    // within the landmark of its button, and with items alone
    Menu: Menu.extend({ defaultProps: { withinPortal: false, withInitialFocusPlaceholder: false } }),
    Modal: Modal.extend({ defaultProps: dialogProps }),
    Notification: Notification.extend({ defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } }),
  },
});

export const variables: CSSVariablesResolver = ({ colors }) => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': colors.gray[7],
    '--mantine-color-placeholder': colors.gray[6],
    '--mantine-color-error': colors.red[9],
  },
  dark: {
    '--mantine-color-dimmed': colors.dark[1],
    '--mantine-color-placeholder': colors.dark[2],
    '--mantine-color-error': colors.red[4],
    '--mantine-color-anchor': colors.blue[3],
  },
});
