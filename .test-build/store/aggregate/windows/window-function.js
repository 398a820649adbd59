/** What a window function is: from the documents of a partition to a value for each of them. */ /** Reads the operand of a window function. */ export { };
