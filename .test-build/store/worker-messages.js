/** What the worker thread and the thread that started it say to each other. */ /** To the worker thread. */ export { };
