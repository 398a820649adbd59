/** What a read is once it is decided (types only). */ export { };
