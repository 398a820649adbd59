'use strict';
exports.average = function (marks) {
  return marks.reduce(function (sum, mark) { return sum + mark.value; }, 0) / marks.length;
};
