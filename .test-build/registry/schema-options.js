/** Which options Mongoose's types know in a model file besides Mongoose's own: the model's, and those of a link. Types only. */ export { };
