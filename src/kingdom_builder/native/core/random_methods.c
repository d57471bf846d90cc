/* The methods of the type Random: those of random.Random that all others build on. */

#include "module.h"

static Random *rng_of(PyObject *object) { return &((RandomObject *)object)->rng; }

PyObject *random_random(PyObject *self, PyObject *unused) {
    (void)unused;
    return PyFloat_FromDouble(random_double(rng_of(self)));
}

/* Random.getrandbits: 32 bits at a time, the lowest first; of the last ones, the highest. */
PyObject *random_getrandbits(PyObject *self, PyObject *number) {
    enum { MOST_BITS = 1 << 20 };
    long bits = PyLong_AsLong(number);
    if (bits == -1 && PyErr_Occurred()) return NULL;
    if (bits < 0 || bits > MOST_BITS) return PyErr_Format(PyExc_ValueError, "bits: expected 0 to %d", MOST_BITS);
    if (!bits) return PyLong_FromLong(0);
    if (bits <= 32) return PyLong_FromUnsignedLong(random_bits(rng_of(self), (int)bits));
    PyObject *bytes = PyBytes_FromStringAndSize(NULL, (bits + 31) / 32 * 4);
    if (!bytes) return NULL;
    for (char *at = PyBytes_AsString(bytes); bits > 0; bits -= 32, at += 4) {
        uint32_t word = random_bits(rng_of(self), bits < 32 ? (int)bits : 32);
        for (int i = 0; i < 4; i++) at[i] = (char)(word >> 8 * i & 255);
    }
    PyObject *result = PyObject_CallMethod((PyObject *)&PyLong_Type, "from_bytes", "Os", bytes, "little");
    Py_DECREF(bytes);
    return result;
}

/* The state, as Random.getstate has it in the middle. */
PyObject *random_get_words(PyObject *self, PyObject *unused) {
    (void)unused;
    Random *rng = rng_of(self);
    PyObject *words = PyTuple_New(RANDOM_WORDS + 1);
    for (int i = 0; words && i < RANDOM_WORDS; i++) PyTuple_SetItem(words, i, PyLong_FromUnsignedLong(rng->words[i]));
    if (words) PyTuple_SetItem(words, RANDOM_WORDS, PyLong_FromLong(rng->next));
    return words;
}

PyObject *random_set_words(PyObject *self, PyObject *words) {
    Random rng;
    Py_ssize_t size = PyTuple_Check(words) ? PyTuple_Size(words) : 0;
    unsigned long most = RANDOM_WORDS;
    bool is_state = size == RANDOM_WORDS + 1;
    for (int i = 0; is_state && i <= RANDOM_WORDS; i++) {
        unsigned long word = PyLong_AsUnsignedLong(PyTuple_GetItem(words, i));
        if (word == (unsigned long)-1 && PyErr_Occurred()) return NULL;
        is_state = word <= (i < RANDOM_WORDS ? 0xffffffffUL : most);
        if (i < RANDOM_WORDS) rng.words[i] = (uint32_t)word;
        else rng.next = (int)word;
    }
    if (!is_state) return PyErr_Format(PyExc_ValueError, "this is not the state of a generator");
    *rng_of(self) = rng;
    Py_RETURN_NONE;
}
