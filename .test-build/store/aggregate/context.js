/** What a pipeline is given of the store it runs in (types only). */ /** What a pipeline may use. */ export { };
