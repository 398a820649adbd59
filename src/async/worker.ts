/** Starts worker threads. */
export { startWorker } from 'dossier-store/worker';
