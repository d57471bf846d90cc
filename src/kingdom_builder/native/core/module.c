/* The Python side of the core: the types Setup, State and Random. */

#include "module.h"

#include "games.h"

#include <limits.h>

/* Sets as Python ints. */
PyObject *int_of_set(const Set *set) {
    static PyObject *from_bytes, *order;
    int last = WORDS - 1;
    while (last > 0 && !set->w[last]) last--;
    if (!last) return PyLong_FromUnsignedLongLong(set->w[0]);
    if (!from_bytes) from_bytes = PyObject_GetAttrString((PyObject *)&PyLong_Type, "from_bytes");
    if (!order) order = PyUnicode_FromString("little");
    if (!from_bytes || !order) return NULL;
    PyObject *bytes = PyBytes_FromStringAndSize((const char *)set->w, 8 * (last + 1));
    if (!bytes) return NULL;
    PyObject *number = PyObject_CallFunctionObjArgs(from_bytes, bytes, order, NULL);
    Py_DECREF(bytes);
    return number;
}

/* ---- Setup ---- */

static PyObject *setup_new(PyTypeObject *type, PyObject *arguments, PyObject *keywords) {
    const char *bytes;
    Py_ssize_t size;
    (void)keywords;
    if (!PyArg_ParseTuple(arguments, "y#", &bytes, &size)) return NULL;
    SetupObject *self = (SetupObject *)PyType_GenericAlloc(type, 0);
    if (!self) return NULL;
    if (!read_setup(&self->setup, (const uint8_t *)bytes, (size_t)size)) {
        Py_DECREF(self);
        PyErr_SetString(PyExc_ValueError, "these bytes are not a setup");
        return NULL;
    }
    return (PyObject *)self;
}

static void setup_dealloc(PyObject *object) {
    PyTypeObject *type = Py_TYPE(object);
    free_setup(&((SetupObject *)object)->setup);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(object);
    Py_DECREF(type);
}

static PyType_Slot setup_slots[] = {
    {Py_tp_new, (void *)setup_new},
    {Py_tp_dealloc, (void *)setup_dealloc},
    {Py_tp_doc, (void *)"A setup of the native core, read from bytes."},
    {0, NULL},
};
static PyType_Spec setup_spec = {
    "kingdom_builder.native._core.Setup", sizeof(SetupObject), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, setup_slots};
PyTypeObject *setup_type;

/* ---- Random ---- */

static PyObject *random_new(PyTypeObject *type, PyObject *arguments, PyObject *keywords) {
    const char *bytes;
    Py_ssize_t size;
    (void)keywords;
    if (!PyArg_ParseTuple(arguments, "y#", &bytes, &size)) return NULL;
    if (size % 4 || size > INT_MAX) {
        PyErr_SetString(PyExc_ValueError, "a seed: expected whole 32-bit digits");
        return NULL;
    }
    RandomObject *self = (RandomObject *)PyType_GenericAlloc(type, 0);
    uint32_t *key = PyMem_Malloc(size ? (size_t)size : 1);
    if (!self || !key) {
        Py_XDECREF((PyObject *)self);
        PyMem_Free(key);
        return PyErr_NoMemory();
    }
    memcpy(key, bytes, (size_t)size);
    seed_random(&self->rng, key, (int)(size / 4));
    PyMem_Free(key);
    return (PyObject *)self;
}

static void plain_dealloc(PyObject *object) {
    PyTypeObject *type = Py_TYPE(object);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(object);
    Py_DECREF(type);
}

static PyMethodDef random_methods[] = {
    {"random", random_random, METH_NOARGS, "The next number, from 0 to below 1."},
    {"getrandbits", random_getrandbits, METH_O, "The next bits, as a number."},
    {"get_words", random_get_words, METH_NOARGS, "The state, as a tuple of numbers."},
    {"set_words", random_set_words, METH_O, "Go on from a state."},
    {NULL, NULL, 0, NULL},
};
static PyType_Slot random_slots[] = {
    {Py_tp_new, (void *)random_new},
    {Py_tp_dealloc, (void *)plain_dealloc},
    {Py_tp_methods, random_methods},
    {Py_tp_doc, (void *)"The generator of random.Random, from the 32-bit digits of a seed."},
    {0, NULL},
};
static PyType_Spec random_spec = {
    "kingdom_builder.native._core.Random", sizeof(RandomObject), 0, Py_TPFLAGS_DEFAULT, random_slots};
PyTypeObject *random_type;

/* ---- State ---- */

static StateObject *make_state(PyTypeObject *type, PyObject *setup) {
    StateObject *self = (StateObject *)PyType_GenericAlloc(type, 0);
    if (!self) return NULL;
    Py_INCREF(setup);
    self->owner = setup;
    self->is_known = false;
    return self;
}

static PyObject *state_new(PyTypeObject *type, PyObject *arguments, PyObject *keywords) {
    PyObject *setup;
    const char *bytes = NULL;
    Py_ssize_t size = 0;
    (void)keywords;
    if (!PyArg_ParseTuple(arguments, "O!|y#", setup_type, &setup, &bytes, &size)) return NULL;
    StateObject *self = make_state(type, setup);
    if (!self) return NULL;
    const Setup *of = &((SetupObject *)setup)->setup;
    if (!bytes) {
        new_state(&self->state, of);
    } else if (!read_state(&self->state, of, (const uint8_t *)bytes, (size_t)size)) {
        Py_DECREF(self);
        PyErr_SetString(PyExc_ValueError, "these bytes are not a state of this setup");
        return NULL;
    }
    return (PyObject *)self;
}

static void state_dealloc(PyObject *object) {
    Py_XDECREF(((StateObject *)object)->owner);
    plain_dealloc(object);
}

static const Set *known_legal(StateObject *self) {
    if (!self->is_known) {
        self->legal = legal(&self->state);
        self->is_known = true;
    }
    return &self->legal;
}

PyObject *new_state_object(PyObject *setup, const State *state) {
    StateObject *self = make_state(state_type, setup);
    if (self) self->state = *state;
    return (PyObject *)self;
}

static PyObject *state_copy(PyObject *object, PyObject *unused) {
    StateObject *from = (StateObject *)object, *to = make_state(Py_TYPE(object), from->owner);
    (void)unused;
    if (!to) return NULL;
    to->state = from->state;
    to->legal = from->legal;
    to->is_known = from->is_known;
    return (PyObject *)to;
}

static PyObject *state_legal(PyObject *object, PyObject *unused) {
    (void)unused;
    return int_of_set(known_legal((StateObject *)object));
}

static PyObject *state_count(PyObject *object, PyObject *unused) {
    (void)unused;
    return PyLong_FromLong(count(*known_legal((StateObject *)object)));
}

/* The legal action that a number from 0 to below 1 stands for; a draw with the probability of its card. */
static PyObject *state_choose(PyObject *object, PyObject *number) {
    StateObject *self = (StateObject *)object;
    double chosen = PyFloat_AsDouble(number);
    if (chosen == -1.0 && PyErr_Occurred()) return NULL;
    if (!(chosen >= 0 && chosen < 1)) {
        PyErr_SetString(PyExc_ValueError, "expected a number from 0 to below 1");
        return NULL;
    }
    if (self->state.awaiting) {
        int left = (int)(chosen * self->state.deck_size), card = 0;
        while (card < CARDS - 1 && left >= self->state.deck[card]) left -= self->state.deck[card++];
        return PyLong_FromLong(DRAW + card);
    }
    const Set *actions = known_legal(self);
    int choices = count(*actions);
    if (!choices) {
        PyErr_SetString(PyExc_ValueError, "the game is over: there is nothing to choose");
        return NULL;
    }
    return PyLong_FromLong(nth(actions, (int)(chosen * choices)));
}

/* Returns False, and changes nothing, if the action is not legal. */
static PyObject *state_try(PyObject *object, PyObject *number) {
    StateObject *self = (StateObject *)object;
    long action = PyLong_AsLong(number);
    if (action == -1 && PyErr_Occurred()) {
        if (!PyErr_ExceptionMatches(PyExc_OverflowError)) return NULL;
        PyErr_Clear();
    }
    bool may = action >= 0 && action < 64 * WORDS && has(known_legal(self), (int)action);
    if (may) {
        apply(&self->state, (int)action);
        self->is_known = false;
    }
    return PyBool_FromLong(may);
}

static PyObject *state_scores(PyObject *object, PyObject *unused) {
    const State *state = &((StateObject *)object)->state;
    (void)unused;
    PyObject *scores = PyList_New(state->setup->players);
    for (int seat = 0; scores && seat < state->setup->players; seat++)
        PyList_SetItem(scores, seat, PyLong_FromLongLong(gold(state, seat)));
    return scores;
}

static PyObject *state_write(PyObject *object, PyObject *unused) {
    uint8_t bytes[WRITTEN];
    (void)unused;
    size_t size = write_state(&((StateObject *)object)->state, bytes);
    return PyBytes_FromStringAndSize((const char *)bytes, (Py_ssize_t)size);
}

static PyObject *state_random_rollout(PyObject *object, PyObject *generator) {
    StateObject *self = (StateObject *)object;
    if (!PyObject_TypeCheck(generator, random_type)) {
        PyErr_SetString(PyExc_TypeError, "expected a Random of the native core");
        return NULL;
    }
    self->is_known = false;
    long played = random_rollout(&self->state, &((RandomObject *)generator)->rng);
    if (played < 0) {
        PyErr_SetString(PyExc_ValueError, "nobody can do anything: no game comes to this position");
        return NULL;
    }
    return PyLong_FromLong(played);
}

static PyObject *state_perft(PyObject *object, PyObject *depth) {
    long to = PyLong_AsLong(depth);
    if (to == -1 && PyErr_Occurred()) return NULL;
    if (to < 0 || to > 10) {
        PyErr_SetString(PyExc_ValueError, "a depth: expected 0 to 10");
        return NULL;
    }
    return PyLong_FromLongLong(perft(&((StateObject *)object)->state, (int)to));
}

static PyObject *state_get_over(PyObject *object, void *unused) {
    (void)unused;
    return PyBool_FromLong(((StateObject *)object)->state.over);
}

static PyObject *state_get_player(PyObject *object, void *unused) {
    (void)unused;
    return PyLong_FromLong(((StateObject *)object)->state.player);
}

static PyObject *state_get_round(PyObject *object, void *unused) {
    (void)unused;
    return PyLong_FromLong(((StateObject *)object)->state.round);
}

static PyObject *state_get_is_drawing(PyObject *object, void *unused) {
    (void)unused;
    return PyBool_FromLong(((StateObject *)object)->state.awaiting);
}

static PyObject *state_get_owner(PyObject *object, void *unused) {
    (void)unused;
    PyObject *owner = ((StateObject *)object)->owner;
    Py_INCREF(owner);
    return owner;
}

static PyMethodDef state_methods[] = {
    {"copy", state_copy, METH_NOARGS, "An independent state, equal to this one."},
    {"legal", state_legal, METH_NOARGS, "The set of actions that are legal now, as an int."},
    {"count", state_count, METH_NOARGS, "The number of legal actions."},
    {"choose", state_choose, METH_O, "The legal action, or the draw, that a number from 0 to below 1 stands for."},
    {"try_action", state_try, METH_O, "Carry out an action; returns False, and changes nothing, if it is not legal."},
    {"scores", state_scores, METH_NOARGS, "The gold that every seat has now."},
    {"write", state_write, METH_NOARGS, "The state as bytes."},
    {"random_rollout", state_random_rollout, METH_O, "Play to the end with random players; returns the actions played."},
    {"perft", state_perft, METH_O, "The number of action sequences of a length."},
    {NULL, NULL, 0, NULL},
};
static PyGetSetDef state_properties[] = {
    {"over", state_get_over, NULL, "Whether the game is over.", NULL},
    {"player", state_get_player, NULL, "The seat whose turn it is, or that draws.", NULL},
    {"round", state_get_round, NULL, "The number of the round.", NULL},
    {"is_drawing", state_get_is_drawing, NULL, "Whether a card is to be drawn.", NULL},
    {"owner", state_get_owner, NULL, "The setup of the core.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};
static PyType_Slot state_slots[] = {
    {Py_tp_new, (void *)state_new},
    {Py_tp_dealloc, (void *)state_dealloc},
    {Py_tp_methods, state_methods},
    {Py_tp_getset, state_properties},
    {Py_tp_doc, (void *)"A state of a game in the native core."},
    {0, NULL},
};
static PyType_Spec state_spec = {
    "kingdom_builder.native._core.State", sizeof(StateObject), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, state_slots};
PyTypeObject *state_type;

/* ---- the module ---- */

PyTypeObject *add_type(PyObject *module, PyType_Spec *spec) {
    PyObject *type = PyType_FromSpec(spec);
    if (!type) return NULL;
    if (PyModule_AddType(module, (PyTypeObject *)type) < 0) {
        Py_DECREF(type);
        return NULL;
    }
    return (PyTypeObject *)type; /* kept for the life of the process */
}

int add_names(PyObject *module, const char *name, const char *const *names, int count_of_names) {
    PyObject *tuple = PyTuple_New(count_of_names);
    if (!tuple) return -1;
    for (int i = 0; i < count_of_names; i++) PyTuple_SetItem(tuple, i, PyUnicode_FromString(names[i]));
    int failed = PyModule_AddObjectRef(module, name, tuple);
    Py_DECREF(tuple);
    return failed;
}

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "_core", "The native core: the same game, compiled.", -1, NULL, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__core(void) {
    PyObject *module = PyModule_Create(&definition);
    if (!module) return NULL;
    prepare_hexes();
    bool is_complete = (setup_type = add_type(module, &setup_spec)) && (random_type = add_type(module, &random_spec)) &&
                       (state_type = add_type(module, &state_spec)) &&
                       !add_names(module, "ACTION_SHAPES", ACTION_SHAPE_NAMES, ACTION_SHAPE_COUNT) &&
                       !add_names(module, "SCORE_SHAPES", SCORE_SHAPE_NAMES, SCORE_SHAPE_COUNT) &&
                       !add_names(module, "HOOK_SHAPES", HOOK_SHAPE_NAMES, HOOK_SHAPE_COUNT) &&
                       add_players(module) && add_batch(module) &&
                       !PyModule_AddIntConstant(module, "VERSION", VERSION);
    if (!is_complete) {
        Py_DECREF(module);
        return NULL;
    }
    return module;
}
