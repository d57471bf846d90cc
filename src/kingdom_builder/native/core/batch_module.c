/* The Python side of batches: the type Batch, which writes into buffers such as numpy arrays. */

#include "batch.h"
#include "module.h"

#include <stdlib.h>

enum { PLANES_BUFFER, VECTOR_BUFFER, GOAL_BUFFER, MASK_BUFFER, SEAT_BUFFER, BUFFERS };

typedef struct {
    PyObject_HEAD
    Batch batch;
    PyObject **setups, **generators; /* what the games use, of each game */
    Py_buffer buffers[BUFFERS];
    int held; /* how many of them are held */
} BatchObject;

static void *no_memory(BatchObject *self) {
    Py_DECREF(self);
    return PyErr_NoMemory();
}

/* Take hold of the arrays; false with an exception if one of them has another size than the layout says. */
static bool take_buffers(BatchObject *self, PyObject **arrays) {
    Batch *batch = &self->batch;
    const Layout *layout = &batch->layout;
    Py_ssize_t sizes[BUFFERS] = {layout->plane_count * PLANE, layout->vector_size * (Py_ssize_t)sizeof(float),
                                 layout->goal_count, layout->action_count, 1};
    for (; self->held < BUFFERS; self->held++) {
        Py_buffer *buffer = &self->buffers[self->held];
        if (PyObject_GetBuffer(arrays[self->held], buffer, PyBUF_WRITABLE | PyBUF_C_CONTIGUOUS)) return false;
        if (buffer->len != sizes[self->held] * batch->size) {
            PyErr_Format(PyExc_ValueError, "array %d: expected %zd bytes, not %zd", self->held,
                         sizes[self->held] * batch->size, buffer->len);
            PyBuffer_Release(buffer);
            return false;
        }
    }
    batch->planes = self->buffers[PLANES_BUFFER].buf;
    batch->vectors = self->buffers[VECTOR_BUFFER].buf;
    batch->goals = self->buffers[GOAL_BUFFER].buf;
    batch->masks = self->buffers[MASK_BUFFER].buf;
    batch->seats = self->buffers[SEAT_BUFFER].buf;
    return true;
}

static PyObject *batch_new(PyTypeObject *type, PyObject *arguments, PyObject *keywords) {
    const char *bytes;
    Py_ssize_t length;
    int size;
    PyObject *arrays[BUFFERS];
    (void)keywords;
    if (!PyArg_ParseTuple(arguments, "y#iOOOOO", &bytes, &length, &size, &arrays[PLANES_BUFFER], &arrays[VECTOR_BUFFER],
                          &arrays[GOAL_BUFFER], &arrays[MASK_BUFFER], &arrays[SEAT_BUFFER]))
        return NULL;
    if (size < 1 || size > 1 << 20) return PyErr_Format(PyExc_ValueError, "%d games", size);
    BatchObject *self = (BatchObject *)PyType_GenericAlloc(type, 0);
    if (!self) return NULL;
    if (!read_layout(&self->batch.layout, (const uint8_t *)bytes, (size_t)length)) {
        Py_DECREF(self);
        return PyErr_Format(PyExc_ValueError, "these bytes are not a layout");
    }
    self->setups = calloc((size_t)size, sizeof *self->setups);
    self->generators = calloc((size_t)size, sizeof *self->generators);
    self->batch.games = calloc((size_t)size, sizeof *self->batch.games);
    if (!self->setups || !self->generators || !self->batch.games) return no_memory(self);
    self->batch.size = size;
    if (!take_buffers(self, arrays)) {
        Py_DECREF(self);
        return NULL;
    }
    return (PyObject *)self;
}

static void batch_dealloc(PyObject *object) {
    BatchObject *self = (BatchObject *)object;
    PyTypeObject *type = Py_TYPE(object);
    while (self->held) PyBuffer_Release(&self->buffers[--self->held]);
    for (int number = 0; number < self->batch.size; number++) {
        Py_XDECREF(self->setups[number]);
        Py_XDECREF(self->generators[number]);
    }
    free(self->setups);
    free(self->generators);
    free(self->batch.games);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(object);
    Py_DECREF(type);
}

/* The game with a number; NULL with an exception if there is none here. */
static Game *game_at(BatchObject *self, int number, bool is_here) {
    if (number >= 0 && number < self->batch.size && (!is_here || self->batch.games[number].is_here))
        return &self->batch.games[number];
    PyErr_Format(PyExc_IndexError, "no game %d here", number);
    return NULL;
}

static Game *numbered_game(BatchObject *self, PyObject *number) {
    long at = PyLong_AsLong(number);
    if (at == -1 && PyErr_Occurred()) return NULL;
    return game_at(self, at < 0 || at > self->batch.size ? -1 : (int)at, true);
}

static void keep(PyObject **place, PyObject *object) {
    PyObject *before = *place;
    Py_INCREF(object);
    *place = object;
    Py_XDECREF(before);
}

static PyObject *batch_begin(PyObject *object, PyObject *arguments) {
    BatchObject *self = (BatchObject *)object;
    int number, has_gold;
    const char *bytes;
    Py_ssize_t size;
    PyObject *setup, *generator, *start;
    if (!PyArg_ParseTuple(arguments, "iO!y#O!pO", &number, setup_type, &setup, &bytes, &size, random_type, &generator,
                          &has_gold, &start))
        return NULL;
    Game *game = game_at(self, number, false);
    if (!game) return NULL;
    bool is_begun = PyObject_TypeCheck(start, state_type);
    if (is_begun ? ((StateObject *)start)->owner != setup : start != Py_None)
        return PyErr_Format(PyExc_ValueError, "the start: expected a state of this setup or None");
    const Setup *of = &((SetupObject *)setup)->setup;
    game->is_here = false;
    if (!read_encoding(&game->encoding, &self->batch.layout, of, (const uint8_t *)bytes, (size_t)size))
        return PyErr_Format(PyExc_ValueError, "these bytes are not an encoding of this setup");
    game->encoding.has_gold = has_gold;
    if (is_begun) game->state = ((StateObject *)start)->state;
    else new_state(&game->state, of);
    keep(&self->setups[number], setup);
    keep(&self->generators[number], generator);
    begin_game(&self->batch, number, &((RandomObject *)generator)->rng);
    if (game->state.awaiting) {
        game->is_here = false;
        return PyErr_Format(PyExc_ValueError, "a card is to be drawn, and there is none");
    }
    Py_RETURN_NONE;
}

static PyObject *batch_leave(PyObject *object, PyObject *number) {
    Game *game = numbered_game((BatchObject *)object, number);
    if (!game) return NULL;
    game->is_here = false;
    Py_RETURN_NONE;
}

static PyObject *batch_play(PyObject *object, PyObject *arguments) {
    BatchObject *self = (BatchObject *)object;
    int first;
    PyObject *array;
    Py_buffer actions;
    if (!PyArg_ParseTuple(arguments, "Oi", &array, &first)) return NULL;
    if (PyObject_GetBuffer(array, &actions, PyBUF_C_CONTIGUOUS)) return NULL;
    bool is_complete = first >= 0 && actions.len >= (Py_ssize_t)sizeof(int64_t) * self->batch.size;
    int next = is_complete ? play_games(&self->batch, actions.buf, first) : 0;
    PyBuffer_Release(&actions);
    if (!is_complete) return PyErr_Format(PyExc_IndexError, "expected an action for each of %d games", self->batch.size);
    return PyLong_FromLong(next);
}

/* The seat that ended the game by the last action, and the gold of all; None if that has not ended it. */
static PyObject *batch_result(PyObject *object, PyObject *number) {
    Game *game = numbered_game((BatchObject *)object, number);
    if (!game) return NULL;
    if (!game->has_ended) Py_RETURN_NONE;
    PyObject *scores = PyList_New(game->state.setup->players);
    for (int seat = 0; scores && seat < game->state.setup->players; seat++)
        PyList_SetItem(scores, seat, PyLong_FromLongLong(gold(&game->state, seat)));
    return scores ? Py_BuildValue("iN", game->mover, scores) : NULL;
}

static PyObject *batch_state(PyObject *object, PyObject *number) {
    Game *game = numbered_game((BatchObject *)object, number);
    if (!game) return NULL;
    uint8_t bytes[WRITTEN];
    size_t size = write_state(&game->state, bytes);
    return PyBytes_FromStringAndSize((const char *)bytes, (Py_ssize_t)size);
}

static PyObject *batch_write(PyObject *object, PyObject *unused) {
    (void)unused;
    write_games(&((BatchObject *)object)->batch);
    Py_RETURN_NONE;
}

static PyMethodDef batch_methods[] = {
    {"begin", batch_begin, METH_VARARGS, "Begin a game on a setup, or go on from a state."},
    {"leave", batch_leave, METH_O, "A game is played elsewhere from now on."},
    {"play", batch_play, METH_VARARGS, "Play an action in each game, up to the first one that somebody must look at."},
    {"result", batch_result, METH_O, "The seat that has just ended the game, and the gold of all; None while it goes on."},
    {"state", batch_state, METH_O, "The state of a game as bytes."},
    {"write", batch_write, METH_NOARGS, "Write all arrays."},
    {NULL, NULL, 0, NULL},
};
static PyType_Slot batch_slots[] = {
    {Py_tp_new, (void *)batch_new},
    {Py_tp_dealloc, (void *)batch_dealloc},
    {Py_tp_methods, batch_methods},
    {Py_tp_doc, (void *)"Games that are played side by side in the native core, and their arrays."},
    {0, NULL},
};
static PyType_Spec batch_spec = {
    "kingdom_builder.native._core.Batch", sizeof(BatchObject), 0, Py_TPFLAGS_DEFAULT, batch_slots};

bool add_batch(PyObject *module) {
    prepare_encoding();
    return add_type(module, &batch_spec) &&
           !add_names(module, "ENCODED_PLANES", ENCODED_PLANE_NAMES, ENCODED_PLANE_COUNT) &&
           !add_names(module, "ENCODED_PARTS", ENCODED_PART_NAMES, ENCODED_PART_COUNT) &&
           !add_names(module, "ENCODED_CHOICES", ENCODED_CHOICE_NAMES, ENCODED_CHOICE_COUNT);
}
