"""Say in a sentence why a method cannot be compiled, to somebody who does not know Numba.

Numba reports a failure as nested text, outermost function first. The compiler class below notes instead which function failed
innermost, and with what error: that is the place where something has to be changed. `_RULES` turns Numba's words into ours.

failure    function, the types of its arguments, Numba's error
promise    what a method of a problem must return; kept by the code of the function, in `operations`, that calls the method
"""

from __future__ import annotations

import ast
import builtins
import difflib
import functools
import inspect
import linecache
import logging
import re
import textwrap
import threading
from collections.abc import Callable, Iterable
from types import CodeType
from typing import Any, NamedTuple, TypeVar

log = logging.getLogger("bestfirst.kernel")

CUT_OFF = "a float is written into an array of whole numbers, which would cut it off"
DO_NOT_CUT_OFF = "divide with //, or say int(…) where cutting off is meant"

_FLOAT_WRITTEN = "float written into integers"

F = TypeVar("F", bound=Callable[..., Any])


class CompileError(TypeError):
    """A method cannot be compiled; the message names it, with file, line, what is wrong and what to write instead.

    The long message of Numba is logged at debug level by the logger "bestfirst.kernel".
    """


class Failure(NamedTuple):
    """A function that Numba could not compile."""

    function: Any
    argument_types: tuple[Any, ...]
    error: Exception


class Promise(NamedTuple):
    """What a method must return: in words, and how many numbers."""

    method: str
    result: str
    numbers: int


class Explanation(NamedTuple):
    """What is wrong, what to do instead, and where (None: where Numba says)."""

    fault: str
    remedy: str
    line: int | None = None


class _Records(threading.local):
    """What is noted while a kernel is compiled in this thread."""

    def __init__(self) -> None:
        self.depth = 0  #: how many functions are being compiled, one within the other
        self.failures: list[Failure] = []  #: innermost first
        self.returns: dict[Any, list[tuple[int, Any]]] = {}  #: function: line and type of each of its returns

    def clear(self) -> None:
        self.failures.clear()
        self.returns.clear()


records = _Records()

_promises: dict[CodeType, Promise] = {}


def promised(method: str, result: str, numbers: int = 1) -> Callable[[F], F]:
    """Mark a function that passes on the result of `self.method`, so that a wrong result is reported as that method's.

    `result` says what it must be, `numbers` of how many it consists.
    """

    def mark(function: F) -> F:
        _promises[function.__code__] = Promise(method, result, numbers)
        return function

    return mark


def wrong_result(value: Any, caller: Any) -> str:
    """What to say about a wrong result met in the interpreter, in the frame `caller`."""
    promise = _promises.get(caller.f_code)
    if promise is None:
        return f"a whole number is needed here, not {value!r}"
    cls = type(caller.f_locals["self"])
    return f"{title(cls)}.{promise.method} returned {value!r}; it must return {promise.result}"


@functools.cache
def compiler_class() -> Any:
    """Numba's compiler, noting failures and types of returns, and refusing to cut floats down to fit into integer arrays."""
    from numba.core import errors, ir, types
    from numba.core.compiler import Compiler
    from numba.core.compiler_machinery import AnalysisPass, register_pass
    from numba.core.typed_passes import NopythonTypeInference

    @register_pass(mutates_CFG=False, analysis_only=True)
    class NoteReturns(AnalysisPass):
        _name = "bestfirst_note_returns"

        def __init__(self) -> None:
            super().__init__()

        def run_pass(self, state: Any) -> bool:
            found = []
            for block in state.func_ir.blocks.values():
                for statement in block.body:
                    if isinstance(statement, (ir.SetItem, ir.StaticSetItem)):
                        target, value = state.typemap[statement.target.name], state.typemap[statement.value.name]
                        kinds = [getattr(kind, "dtype", kind) for kind in (target, value)]
                        if isinstance(kinds[0], types.Integer) and isinstance(kinds[1], types.Float):
                            raise errors.TypingError(_FLOAT_WRITTEN, loc=statement.loc)
                    if isinstance(statement, ir.Assign) and getattr(statement.value, "op", "") == "cast":
                        found.append((statement.loc.line, state.typemap[statement.value.value.name]))
            records.returns[state.func_id.func] = found
            return False

    class NotingCompiler(Compiler):
        def define_pipelines(self) -> Any:
            pipelines = super().define_pipelines()
            pipelines[0].add_pass_after(NoteReturns, NopythonTypeInference)
            pipelines[0].finalize()
            return pipelines

        def compile_extra(self, function: Any) -> Any:
            if records.depth == 0:
                records.clear()
            before = len(records.failures)
            records.depth += 1
            try:
                result = super().compile_extra(function)
            except Exception as error:
                records.failures.append(Failure(function, tuple(self.state.args), error))
                raise
            finally:
                records.depth -= 1
            del records.failures[before:]  # an attempt that failed, and another way was found
            return result

    return NotingCompiler


def compile_error(error: Exception) -> CompileError | None:
    """The error to raise in place of Numba's; None when `error` did not come up while compiling."""
    if not records.failures or records.failures[-1].error is not error:
        return None
    failure = records.failures[0]
    log.debug("Numba's message", exc_info=error)
    where, explanation = _explain(failure)
    function, name = where
    line = explanation.line or _line(failure)
    file = function.__code__.co_filename
    source = linecache.getline(file, line).strip()
    place = f'  File "{file}", line {line}\n' + (f"    {source}\n" if source else "")
    records.clear()
    return CompileError(
        f"{name} cannot be compiled: {explanation.fault}\n{place}{explanation.remedy}; "
        f"or run it as plain Python, slowly, with compiled=False"
    )


def _explain(failure: Failure) -> tuple[tuple[Any, str], Explanation]:
    """The function to blame with its name, and what is wrong in it."""
    promise = _promises.get(failure.function.__code__)
    cls = _class_of(failure)
    if promise is not None and cls is not None:
        method = getattr(cls, promise.method)
        return (method, f"{title(cls)}.{promise.method}"), _wrong_return(promise, method)
    return (failure.function, _name_of(failure.function, cls)), _by_rules(failure)


def _class_of(failure: Failure) -> Any:
    first = failure.argument_types[0] if failure.argument_types else None
    return getattr(first, "instance_class", None)


def _name_of(function: Any, cls: Any) -> str:
    if cls is not None:
        for name, member in inspect.getmembers_static(cls):
            if member is function:
                return f"{title(cls)}.{name}"
    return str(function.__qualname__).rpartition("<locals>.")[2]


def title(cls: type) -> str:
    """The name of a class as its author wrote it; kernels may have added a number to `__name__`."""
    return cls.__qualname__.rpartition(".")[2]


def _message(error: Exception) -> str:
    """Numba's message without colours and the line that names a stage of the compiler."""
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(error))
    return re.sub(r"Failed in nopython mode pipeline \(step: [^)]*\)\n", "", text).strip()


def _line(failure: Failure) -> int:
    location = getattr(failure.error, "loc", None)
    code = failure.function.__code__
    named = re.search(r"Raised from .* \((\d+)\)", _message(failure.error))
    if location is not None and location.filename == code.co_filename:
        return int(location.line)
    return int(named[1]) if named else int(code.co_firstlineno)


def _wrong_return(promise: Promise, method: Any) -> Explanation:
    """Which `return` of a method gives what it must not."""
    first_line = method.__code__.co_firstlineno
    must = f"it must return {promise.result}"
    returns = records.returns.get(method, [])
    if not returns:
        return Explanation("it never returns", must, first_line)
    kinds = [(line, _in_words(kind)) for line, kind in returns]
    for line, kind in kinds:
        if kind == "None" and not re.search(r"\breturn\b", linecache.getline(method.__code__.co_filename, line)):
            return Explanation("it can end without a return", must, line)
    number = "(a whole number|True or False)"
    right = number if promise.numbers == 1 else rf"a tuple \({', '.join([number] * promise.numbers)}\)"
    line, kind = next(((line, kind) for line, kind in kinds if not re.fullmatch(right, kind)), (kinds[0][0], ""))
    if not kind:  # each return is right by itself
        kind = "an unsigned 64-bit number in one place and a signed one elsewhere, which together are a float"
    hint = "; a float comes from /, and from mixing unsigned 64-bit numbers with signed ones: use // and np.int64(…)"
    return Explanation(f"it returns {kind}", must + (hint if "a float" in kind else ""), line)


def _in_words(kind: Any) -> str:
    """A Numba type for people."""
    from numba import types

    words: list[tuple[Any, str]] = [
        (types.NoneType, "None"),
        (types.Boolean, "True or False"),
        (types.Integer, "a whole number"),
        (types.Float, "a float"),
        (types.Array, "an array"),
        ((types.UnicodeType, types.StringLiteral), "a string"),
        (types.List, "a list"),
        (types.DictType, "a dict"),
        (types.Set, "a set"),
        (types.BaseFunction, "a function"),
        (types.Module, "a module"),
    ]
    if isinstance(kind, types.Optional):
        return f"None or {_in_words(kind.type)}"
    if isinstance(kind, types.BaseTuple):
        return f"a tuple ({', '.join(map(_in_words, kind.types))})" if len(kind) else "an empty tuple"
    return next((text for types_, text in words if isinstance(kind, types_)), str(kind))


# --- the rules ----------------------------------------------------------------------------------------------------------
#
# Each takes the match of its pattern in Numba's message, and the failure.

Rule = Callable[[re.Match[str], Failure], Explanation]

_LOOP = "write a loop: loops are fast when compiled"


def _untyped_name(match: re.Match[str], failure: Failure) -> Explanation:
    name, kind = match[1], match[2]
    if hasattr(builtins, name):
        return Explanation(f"{name} does not exist in compiled code", "take it out")
    if kind in ("function", "method", "builtin_function_or_method"):
        return Explanation(
            f"it calls {name}, which is a plain function",
            f"make {name} a method, or put @kernel above it (from bestfirst.kernel import kernel)",
        )
    return Explanation(
        f"it uses {name}, a {kind} from outside the class",
        "compiled code takes numbers, tuples of numbers and NumPy arrays from there; better, make it a field",
    )


def _no_such_name(match: re.Match[str], failure: Failure) -> Explanation:
    name = match[1]
    known = [*failure.function.__globals__, *failure.function.__code__.co_varnames, *vars(builtins)]
    return Explanation(f"the name {name} is not defined", _nearest(name, known) or "define it", _line_of_name(failure, name))


def _no_value_yet(match: re.Match[str], failure: Failure) -> Explanation:
    name = match[1].split(".")[0]
    return Explanation(f"{name} is read before it has a value", "give it a value on every way to this line")


def _no_such_attribute(match: re.Match[str], failure: Failure) -> Explanation:
    name, owner = match[1], match[2]
    cls = _class_of(failure)
    if cls is None or not owner.startswith(f"{cls.__name__}("):
        module = re.match(r"Module\(<module '([^']*)'", owner)
        if module:
            return Explanation(f"{module[1]}.{name} does not exist in compiled code", _LOOP)
        what = "an array" if owner.startswith("array(") else "a number" if re.fullmatch(r"u?int\d+|float\d+", owner) else owner
        return Explanation(f"{what} has no attribute {name} in compiled code", _LOOP)
    if hasattr(cls, name):
        kind = type(inspect.getattr_static(cls, name)).__name__
        return Explanation(
            f"{name} is a class attribute of {title(cls)} that compiled code cannot read, a {kind}",
            "numbers and tuples of numbers can be read so; let anything else be a field",
        )
    methods = [key for key, value in inspect.getmembers_static(cls, inspect.isfunction) if not key.startswith("_")]
    known = [*cls._fields, *methods]
    suggestion = _nearest(name, known) or f"add the field {name}: …"
    return Explanation(f"{title(cls)} has no field or method {name}; its fields are {', '.join(cls._fields)}", suggestion)


def _nearest(name: str, known: Iterable[str]) -> str:
    near = difflib.get_close_matches(name, list(known), 1, 0.7)
    return f"did you mean {near[0]}?" if near else ""


def _no_such_member(match: re.Match[str], failure: Failure) -> Explanation:
    return Explanation(f"{match[1]} has no {match[2]}", "look for another name", _line_of_name(failure, match[2]))


def _global_list(match: re.Match[str], failure: Failure) -> Explanation:
    return Explanation(f"it uses {match[1]}, a list from outside the class", "make it a tuple, or a field with np.array(…)")


def _no_types(match: re.Match[str], failure: Failure) -> Explanation:
    kind = {"D": "dict", "l": "list", "s": "set", "r": "list"}.get(match[2][0], "collection")
    return Explanation(
        f"nothing says what the {kind} {match[1].split('.')[0]} holds, since it starts empty",
        "use an array of fixed length, np.zeros(…), or a field",
    )


def _no_operation(match: re.Match[str], failure: Failure) -> Explanation:
    """Numba knows the function, but not for these arguments."""
    name = re.sub(r".*?(\w+)( at 0x\w+)?>?$", r"\1", match[1])
    arguments = _arguments_in_words(match[2] or "")
    if name == "exception_match":
        return _explain_try(match, failure)
    if name in ("getitem", "setitem", "static_getitem", "static_setitem"):
        fault = f"it indexes or writes in a way that compiled code does not know: {arguments}"
        if "float" in arguments:
            return Explanation(fault, "use whole numbers: // divides without rest; np.int64(…) where unsigned meets signed")
        return Explanation(fault, "index by whole numbers, and write single numbers")
    if name == "integer":
        return Explanation(
            f"a whole number is needed here, not {arguments}", "divide with //; np.int64(…) where unsigned meets signed"
        )
    if name == "stub":
        wrong = re.search(
            r"missing a required argument: '\w+'|unexpected keyword argument '\w+'|too many positional arguments", match[0]
        )
        fault = f"it calls a method with the wrong arguments{f' ({wrong[0]})' if wrong else ''}"
        return Explanation(fault, "give the arguments that the method takes")
    return Explanation(f"{name}({arguments}) does not exist in compiled code", _LOOP)


def _arguments_in_words(signature: str) -> str:
    """The argument types in a message of Numba for people."""
    for pattern, words in (
        (r"Literal\[int\]\(([^()]*)\)", r"\1"),
        (r"Literal\[str\]\(([^()]*)\)", r"'\1'"),
        (r"array\([^()]*\)", "array"),
        (r"type\(CPUDispatcher.*\)|Function\([^()]*\)", "function"),
        (r"unicode_type", "string"),
        (r"\bu?int\d+", "integer"),
        (r"\bfloat\d+", "float"),
    ):
        signature = re.sub(pattern, words, signature)
    return signature


def _explain_try(match: re.Match[str], failure: Failure) -> Explanation:
    return Explanation("it catches an exception of one kind", "test for the condition with if, before it happens")


def _no_field_change(match: re.Match[str], failure: Failure) -> Explanation:
    fault = f"it changes the field {match[1]}; the fields of a problem never change"
    return Explanation(fault, "keep what changes in the state", _line_of_name(failure, match[1]))


def _two_kinds(match: re.Match[str], failure: Failure) -> Explanation:
    name = match[3].split(".")[0] if match[3][0].isalpha() else "a value"
    kinds = f"{_arguments_in_words(match[1])} or {_arguments_in_words(match[2])}"
    return Explanation(f"{name} is, by the way taken, {kinds}", "use two names, one for each kind")


def _two_returns(match: re.Match[str], failure: Failure) -> Explanation:
    lines = [int(line) for line in re.findall(r"\((\d+)\)|line (\d+)", match[0]) for line in line if line]
    return Explanation("it returns values of different kinds", "return the same kind everywhere", max(lines, default=None))


def _recursion(match: re.Match[str], failure: Failure) -> Explanation:
    name = failure.function.__name__
    return Explanation(f"{name} calls itself, directly or through another method", _LOOP, _line_of_name(failure, name))


def _says(fault: str, remedy: str, *nodes: type[ast.AST]) -> Rule:
    """A rule with fixed words; the line is that of the first of these nodes when Numba gives none."""

    def rule(match: re.Match[str], failure: Failure) -> Explanation:
        return Explanation(fault, remedy, _line_where(failure, lambda node: isinstance(node, nodes)))

    return rule


def _line_of_name(failure: Failure, name: str) -> int | None:
    return _line_where(failure, lambda node: name in (getattr(node, "id", None), getattr(node, "attr", None)))


def _line_where(failure: Failure, wanted: Callable[[ast.AST], bool]) -> int | None:
    """The line of the first such node in the source of the function, when there is a source."""
    try:
        lines, first = inspect.getsourcelines(failure.function)
        tree = ast.parse(textwrap.dedent("".join(lines)))
    except (OSError, SyntaxError):  # typed in where no source is kept; a lambda in the middle of a line
        return None
    found = [node.lineno for node in ast.walk(tree) if isinstance(node, (ast.expr, ast.stmt)) and wanted(node)]
    return first + min(found) - 1 if found else None


_RULES: list[tuple[str, Rule]] = [
    (_FLOAT_WRITTEN, _says(CUT_OFF, DO_NOT_CUT_OFF)),
    (r"Untyped \w+ name '([^']+)': Cannot determine Numba type of <class '(?:[^']*\.)?(\w+)'>", _untyped_name),
    (r"NameError: name '(\w+)' is not defined", _no_such_name),
    (r"[Vv]ariable '([\w.]+)' (?:is not defined|referenced before)", _no_value_yet),
    (r"Unknown attribute '(\w+)' of type (.*)", _no_such_attribute),
    (
        r"Use of unsupported NumPy function 'numpy\.([\w.]+)'",
        lambda match, failure: Explanation(f"np.{match[1]} does not exist in compiled code", _LOOP),
    ),
    (r"Cannot infer the type of variable '([^']+)'.*?imprecise type: (\w+)", _no_types),
    (r"yield in a closure", _says("it uses a generator expression", _LOOP, ast.GeneratorExp)),
    (
        r"f-string|format spec",
        _says("it formats a string", "take it out, or print plain numbers", ast.JoinedStr),
    ),
    (r"exception_match|[Ee]xcept(?:ion)? (?:matching|handler)|'try'", _explain_try),
    (r"'with |context manager|'with'", _says("it uses with", "take it out of the method", ast.With)),
    (r"IMPORT_NAME", _says("it imports a module", "put the import at the top of the file", ast.Import, ast.ImportFrom)),
    (r"No definition for lowering .*\.(\w+) = ", _no_field_change),
    (r"Cannot resolve setattr: \(.*\)\.(\w+) = ", _no_field_change),
    (r"module '([\w.]+)' has no attribute '(\w+)'", _no_such_member),
    (r"use of a .*list.* assigned to variable '(\w+)'", _global_list),
    (r"STORE_GLOBAL", _says("it sets a global", "return the value, or keep it in the state", ast.Global)),
    (r"Use of unsupported opcode \((\w+)\)", _says("it uses a statement that compiled code does not have", _LOOP)),
    (
        r"Resolution failure",
        _says("it calls a method with arguments that compiled code does not know", f"use fewer, or {_LOOP}"),
    ),
    (r"re-entrant|type inference failed .*recursi|recursi", _recursion),
    (r"Cannot unify (.*) and (.*) for '([^']+)'", _two_kinds),
    (r"Can't unify return type(?s:.*)", _two_returns),
    (r"failed to unpack|wrong tuple length", _says("it unpacks a value into a number of names that does not fit", "count both")),
]

_OPERATION = re.compile(
    r"No implementation of function (?:Function\()?<(.*?)>+\)? found for signature:\s*(?:>>> \w+\((.*)\))?(?s:.*)"
)


def _by_rules(failure: Failure) -> Explanation:
    message = _message(failure.error)
    operation = _OPERATION.search(message)
    if operation and "is not defined" not in message:
        return _no_operation(operation, failure)
    for pattern, rule in _RULES:
        match = re.search(pattern, message)
        if match:
            return rule(match, failure)
    first = next((line.strip() for line in message.splitlines() if line.strip()), "")
    return Explanation(f"Numba fails on it ({type(failure.error).__name__}: {first})", "write it with numbers, arrays and loops")
