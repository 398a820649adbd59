/** The entry of the console. */
import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import './style.css';
import './print.css';
import { setNonce } from 'get-nonce';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { nonce } from './nonce.ts';
import { keepFocus } from './parts/keep-focus.ts';

// for the library that keeps the page still behind a dialog
setNonce(nonce());
keepFocus();
const root = document.querySelector('#root');
if (root !== null) createRoot(root).render(<App />);
