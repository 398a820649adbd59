const LEVELS = Object.freeze({ EASY: 'easy', HARD: 'hard' })
module.exports = { LEVELS, PAGE_SIZE: 25 }
