/**
 * Loaded before an application that is written for Mongoose 8: passes `next` to its middleware, as that release does and Mongoose 9
 * does not.
 */
const { Schema } = require('mongoose');

const { pre } = Schema.prototype;

Schema.prototype.pre = function (...given) {
  return pre.apply(
    this,
    given.map((one) => (typeof one === 'function' && one.length > 0 ? withNext(one) : one)),
  );
};

const withNext = (middleware) =>
  function () {
    return new Promise((resolve, reject) => {
      const next = (error) => (error === undefined ? resolve() : reject(error));
      Promise.resolve(middleware.call(this, next)).catch(reject);
    });
  };
