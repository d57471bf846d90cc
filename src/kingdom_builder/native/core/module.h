/* The Python objects of the core. Limited API, so that one file serves all versions. */

#ifndef KB_MODULE_H
#define KB_MODULE_H

#define Py_LIMITED_API 0x030B0000
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "state.h"

enum { VERSION = 3 }; /* as in native/__init__.py: raised with every change of what passes between the two */

typedef struct {
    PyObject_HEAD
    Setup setup;
} SetupObject;

typedef struct {
    PyObject_HEAD
    Random rng;
} RandomObject;

typedef struct {
    PyObject_HEAD
    PyObject *owner; /* the SetupObject */
    State state;
    Set legal; /* the legal actions, once they are known */
    bool is_known;
} StateObject;

extern PyTypeObject *setup_type, *random_type, *state_type;

PyObject *int_of_set(const Set *set);
PyObject *new_state_object(PyObject *setup, const State *state);

/* Methods of Random (random_methods.c). */
PyObject *random_random(PyObject *self, PyObject *unused);
PyObject *random_getrandbits(PyObject *self, PyObject *number);
PyObject *random_get_words(PyObject *self, PyObject *unused);
PyObject *random_set_words(PyObject *self, PyObject *words);

/* For the other files: they add a type or names to the module; what adds a file's own. */
PyTypeObject *add_type(PyObject *module, PyType_Spec *spec);
int add_names(PyObject *module, const char *name, const char *const *names, int count_of_names);
bool add_players(PyObject *module);
bool add_batch(PyObject *module);

#endif
