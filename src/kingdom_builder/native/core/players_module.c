/* The Python side of the evaluation and the searches: the types Evaluator and Search. */

#include "module.h"

#include <math.h>

#include "rollouts.h"
#include "search.h"

typedef struct {
    PyObject_HEAD
    PyObject *setup; /* the SetupObject */
    Evaluator evaluator;
} EvaluatorObject;

typedef struct {
    PyObject_HEAD
    PyObject *evaluator, *setup;
    Search search;
    Limit searching, comparing;
    double left; /* positions */
} SearchObject;

static PyTypeObject *evaluator_type, *search_type;

static void dealloc_plain(PyObject *object) {
    PyTypeObject *type = Py_TYPE(object);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(object);
    Py_DECREF(type);
}

/* ---- Evaluator ---- */

static PyObject *evaluator_new(PyTypeObject *type, PyObject *arguments, PyObject *keywords) {
    PyObject *setup;
    const char *bytes;
    Py_ssize_t size;
    (void)keywords;
    if (!PyArg_ParseTuple(arguments, "O!y#", setup_type, &setup, &bytes, &size)) return NULL;
    EvaluatorObject *self = (EvaluatorObject *)PyType_GenericAlloc(type, 0);
    if (!self) return NULL;
    Py_INCREF(setup);
    self->setup = setup;
    if (!read_evaluator(&self->evaluator, &((SetupObject *)setup)->setup, (const uint8_t *)bytes, (size_t)size)) {
        Py_DECREF(self);
        PyErr_SetString(PyExc_ValueError, "these bytes are not an evaluator of this setup");
        return NULL;
    }
    return (PyObject *)self;
}

static void evaluator_dealloc(PyObject *object) {
    free_evaluator(&((EvaluatorObject *)object)->evaluator);
    Py_XDECREF(((EvaluatorObject *)object)->setup);
    dealloc_plain(object);
}

/* The state among the arguments, of the setup of this evaluator; NULL with an exception otherwise. */
static const State *state_of(const EvaluatorObject *self, PyObject *object) {
    if (!PyObject_TypeCheck(object, state_type) || ((StateObject *)object)->owner != self->setup) {
        PyErr_SetString(PyExc_ValueError, "expected a state of the same setup in the core");
        return NULL;
    }
    return &((StateObject *)object)->state;
}

static bool is_seat(const State *state, int seat) {
    if (seat >= 0 && seat < state->setup->players) return true;
    PyErr_SetString(PyExc_ValueError, "expected a seat of this game");
    return false;
}

/* Read a state and a seat; NULL with an exception if they do not fit. */
static const State *read_state_and_seat(const EvaluatorObject *self, PyObject *arguments, int *seat) {
    PyObject *given;
    if (!PyArg_ParseTuple(arguments, "Oi", &given, seat)) return NULL;
    const State *state = state_of(self, given);
    return state && is_seat(state, *seat) ? state : NULL;
}

static PyObject *evaluator_worth(PyObject *object, PyObject *arguments) {
    EvaluatorObject *self = (EvaluatorObject *)object;
    int seat;
    const State *state = read_state_and_seat(self, arguments, &seat);
    if (!state) return NULL;
    return PyFloat_FromDouble(worth(&self->evaluator, state, seat));
}

static PyObject *evaluator_expected(PyObject *object, PyObject *arguments) {
    EvaluatorObject *self = (EvaluatorObject *)object;
    int seat;
    const State *state = read_state_and_seat(self, arguments, &seat);
    if (!state) return NULL;
    double builds, gold = expected(&self->evaluator, state, seat, &builds);
    return Py_BuildValue("dd", gold, builds);
}

static PyObject *actions_of(const Search *search, int number, bool ends) {
    const Line *line = line_at(&search->lines, number);
    PyObject *actions = PyList_New(line->length + ends);
    if (!actions) return NULL;
    if (ends) PyList_SetItem(actions, line->length, PyLong_FromLong(END));
    for (int i = line->length - 1; i >= 0; i--) {
        PyList_SetItem(actions, i, PyLong_FromLong(line->action));
        line = line_at(&search->lines, line->before);
    }
    return actions;
}

static PyObject *evaluator_greedy_step(PyObject *object, PyObject *arguments) {
    EvaluatorObject *self = (EvaluatorObject *)object;
    PyObject *given;
    int sources, looks;
    if (!PyArg_ParseTuple(arguments, "Oii", &given, &sources, &looks)) return NULL;
    const State *state = state_of(self, given);
    if (!state) return NULL;
    Search search;
    if (!begin_search(&search, &self->evaluator, state)) return PyErr_NoMemory();
    PyObject *actions = actions_of(&search, greedy_step(&search, 0, sources, looks), false);
    free_search(&search);
    return actions;
}

enum { MOST_ACTIONS = 4096 };

/* The actions of a sequence; -1 with an exception if it is none. */
static int read_actions(PyObject *sequence, int *actions) {
    Py_ssize_t size = PySequence_Size(sequence);
    if (size > MOST_ACTIONS) PyErr_SetString(PyExc_ValueError, "too many actions for a turn");
    if (size < 0 || size > MOST_ACTIONS) return -1;
    for (Py_ssize_t i = 0; i < size; i++) {
        PyObject *item = PySequence_GetItem(sequence, i);
        long action = item ? PyLong_AsLong(item) : -1;
        Py_XDECREF(item);
        if (action < 0 || action >= 64 * WORDS) {
            if (!PyErr_Occurred()) PyErr_SetString(PyExc_ValueError, "expected actions");
            return -1;
        }
        actions[i] = (int)action;
    }
    return (int)size;
}

/* The gold of each seat at the end of a game that is played quickly after a turn, its hidden cards dealt at random. */
static PyObject *evaluator_rollout(PyObject *object, PyObject *arguments) {
    EvaluatorObject *self = (EvaluatorObject *)object;
    PyObject *given, *turn, *generator;
    int greedy_turns, actions[MOST_ACTIONS];
    if (!PyArg_ParseTuple(arguments, "OOiO!", &given, &turn, &greedy_turns, random_type, &generator)) return NULL;
    const State *seen = state_of(self, given);
    int length = seen ? read_actions(turn, actions) : -1;
    if (length < 0) return NULL;
    Random *rng = &((RandomObject *)generator)->rng;
    State state = *seen;
    deal_hidden(&state, rng);
    for (int i = 0; i < length; i++) {
        Set legal_now = legal(&state);
        if (!has(&legal_now, actions[i])) {
            PyErr_SetString(PyExc_ValueError, "expected the legal actions of a turn");
            return NULL;
        }
        apply(&state, actions[i]);
    }
    double gold_of_seats[MOST_PLAYERS];
    Outcome outcome = play_greedy_turns(&self->evaluator, &state, greedy_turns, rng);
    if (outcome == PLAYED) outcome = play_out(&self->evaluator, &state, rng, gold_of_seats);
    if (outcome == NO_MEMORY) return PyErr_NoMemory();
    if (outcome == NOTHING_TO_DO) {
        PyErr_SetString(PyExc_ValueError, "nobody can do anything: no game comes to this position");
        return NULL;
    }
    PyObject *found = PyList_New(state.setup->players);
    for (int seat = 0; found && seat < state.setup->players; seat++)
        PyList_SetItem(found, seat, PyFloat_FromDouble(gold_of_seats[seat]));
    return found;
}

static PyMethodDef evaluator_methods[] = {
    {"worth", evaluator_worth, METH_VARARGS, "The worth of a state for a seat."},
    {"expected", evaluator_expected, METH_VARARGS, "The gold a seat can expect, and the settlements it will build."},
    {"greedy_step", evaluator_greedy_step, METH_VARARGS, "The actions that look best now; none to end the turn."},
    {"rollout", evaluator_rollout, METH_VARARGS, "The gold of each seat after a turn, in a game played quickly."},
    {NULL, NULL, 0, NULL},
};
static PyType_Slot evaluator_slots[] = {
    {Py_tp_new, (void *)evaluator_new},
    {Py_tp_dealloc, (void *)evaluator_dealloc},
    {Py_tp_methods, evaluator_methods},
    {Py_tp_doc, (void *)"The evaluation of positions of one setup, read from bytes."},
    {0, NULL},
};
static PyType_Spec evaluator_spec = {
    "kingdom_builder.native._core.Evaluator", sizeof(EvaluatorObject), 0, Py_TPFLAGS_DEFAULT, evaluator_slots};

/* ---- Search ---- */

/* Read (whether positions count, how many must be left, seconds left, clock). */
static bool read_limit(PyObject *given, Limit *limit, double *left) {
    double least, seconds;
    int clock, counts;
    if (!PyArg_ParseTuple(given, "pddi", &counts, &least, &seconds, &clock)) return false;
    if (clock < CLOCK_WALL || clock > CLOCK_THREAD) {
        PyErr_SetString(PyExc_ValueError, "expected the number of a clock");
        return false;
    }
    *limit = (Limit){counts ? left : NULL, least, seconds == INFINITY ? INFINITY : read_clock(clock) + seconds, clock};
    return true;
}

static PyObject *search_new(PyTypeObject *type, PyObject *arguments, PyObject *keywords) {
    PyObject *evaluator, *given, *searching, *comparing;
    double left;
    (void)keywords;
    if (!PyArg_ParseTuple(arguments, "O!OdO!O!", evaluator_type, &evaluator, &given, &left, &PyTuple_Type, &searching,
                          &PyTuple_Type, &comparing))
        return NULL;
    const State *state = state_of((EvaluatorObject *)evaluator, given);
    if (!state) return NULL;
    SearchObject *self = (SearchObject *)PyType_GenericAlloc(type, 0);
    if (!self) return NULL;
    Py_INCREF(evaluator);
    self->evaluator = evaluator;
    self->setup = ((EvaluatorObject *)evaluator)->setup;
    self->left = left;
    if (!begin_search(&self->search, &((EvaluatorObject *)evaluator)->evaluator, state)) {
        Py_DECREF(self);
        return PyErr_NoMemory();
    }
    if (!read_limit(searching, &self->searching, &self->left) || !read_limit(comparing, &self->comparing, &self->left)) {
        Py_DECREF(self);
        return NULL;
    }
    self->search.limit = &self->searching;
    return (PyObject *)self;
}

static void search_dealloc(PyObject *object) {
    free_search(&((SearchObject *)object)->search);
    Py_XDECREF(((SearchObject *)object)->evaluator);
    dealloc_plain(object);
}

/* A line as (number, actions with the end of the turn if it is due, worth, state). */
static PyObject *line_of(SearchObject *self, int number) {
    const Line *line = line_at(&self->search.lines, number);
    PyObject *actions = actions_of(&self->search, number, !is_over(&line->state, self->search.seat));
    PyObject *state = actions ? new_state_object(self->setup, &line->state) : NULL;
    if (!state) {
        Py_XDECREF(actions);
        return NULL;
    }
    return Py_BuildValue("iNdN", number, actions, line->worth, state);
}

static PyObject *search_run(PyObject *object, PyObject *number) {
    SearchObject *self = (SearchObject *)object;
    long leaders = PyLong_AsLong(number);
    if (leaders == -1 && PyErr_Occurred()) return NULL;
    run_search(&self->search, (int)leaders, &self->comparing);
    const List *found = &self->search.found;
    PyObject *lines = PyList_New(found->count);
    for (int i = 0; lines && i < found->count; i++) {
        PyObject *line = line_of(self, found->items[i]);
        if (!line) {
            Py_DECREF(lines);
            return NULL;
        }
        PyList_SetItem(lines, i, line);
    }
    return lines;
}

static PyObject *search_completed(PyObject *object, PyObject *number) {
    SearchObject *self = (SearchObject *)object;
    long line = PyLong_AsLong(number);
    if (line == -1 && PyErr_Occurred()) return NULL;
    if (line < 0 || line >= self->search.lines.count) {
        PyErr_SetString(PyExc_ValueError, "expected the number of a line");
        return NULL;
    }
    return line_of(self, completed(&self->search, (int)line, &self->comparing));
}

static PyObject *search_get_left(PyObject *object, void *unused) {
    (void)unused;
    return PyFloat_FromDouble(((SearchObject *)object)->left);
}

static PyMethodDef search_methods[] = {
    {"run", search_run, METH_O, "The best whole turns, best first."},
    {"completed", search_completed, METH_O, "In a last turn, a line with the further uses of tiles that pay."},
    {NULL, NULL, 0, NULL},
};
static PyGetSetDef search_properties[] = {
    {"left", search_get_left, NULL, "The positions that are left.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};
static PyType_Slot search_slots[] = {
    {Py_tp_new, (void *)search_new},
    {Py_tp_dealloc, (void *)search_dealloc},
    {Py_tp_methods, search_methods},
    {Py_tp_getset, search_properties},
    {Py_tp_doc, (void *)"The search for good turns from one state."},
    {0, NULL},
};
static PyType_Spec search_spec = {
    "kingdom_builder.native._core.Search", sizeof(SearchObject), 0, Py_TPFLAGS_DEFAULT, search_slots};

bool add_players(PyObject *module) {
    return (evaluator_type = add_type(module, &evaluator_spec)) && (search_type = add_type(module, &search_spec)) &&
           !add_names(module, "WANTED_SHAPES", WANTED_SHAPE_NAMES, WANTED_SHAPE_COUNT) &&
           !add_names(module, "PROGRESS_SHAPES", PROGRESS_SHAPE_NAMES, PROGRESS_SHAPE_COUNT);
}
