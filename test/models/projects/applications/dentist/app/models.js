module.exports = function (mongoose) {
    var Schema = mongoose.Schema;

    function cents(num) { return Math.round(num * 100); }
    function euros(num) { return (num / 100); }

    var Tooth = new Schema({
        no: {type: Number, min: 11, max: 85, required: true},
        state: {type: String, 'enum': ['ok', 'filled', 'gone'], 'default': 'ok'}
    });

    var Treatment = new Schema({
        client: {type: Schema.ObjectId, ref: 'Client'},
        teeth: [Tooth],
        text: {type: String, trim: true},
        price: {type: Number, get: euros, set: cents},
        date: {type: Date, 'default': Date.now, index: true}
    });

    Treatment.path('teeth').validate(function (teeth) {
        var seen = {};
        return teeth.every(function (tooth) { return seen[tooth.no] ? false : (seen[tooth.no] = true); });
    }, 'a tooth twice');

    var Client = new Schema({
        _id: {type: Number},
        name: String,
        born: Date,
        recall: {type: Number, 'default': 6},
        friends: [{type: Number, ref: 'Client'}]
    });

    Client.statics.named = function (name, callback) {
        return this.find({name: new RegExp(name, 'i')}, callback);
    };

    return {
        Treatment: mongoose.model('Treatment', Treatment),
        Client: mongoose.model('Client', Client)
    };
};
