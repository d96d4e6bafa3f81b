"""JSON Schemas of the objects that commands print with --json.

`OBJECTS` has a row for each command: the objects that it prints, each with the classes whose fields it has. A
field is declared once, in `cli.json_fields` or in the data class of an answer. A test runs every command and
validates what it prints.
"""

from __future__ import annotations

import inspect
import types
from collections.abc import Iterable
from enum import StrEnum
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    Literal,
    NotRequired,
    TypeAlias,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from cavalcade.answers.counts import Count, Distribution
from cavalcade.answers.measures import TourSymmetry
from cavalcade.answers.measures.measure import STATISTICS
from cavalcade.cli import json_fields as fields
from cavalcade.cli.command import OPTION_HELP
from cavalcade.ground import __version__
from cavalcade.papers.summary import OptgraphTables

if TYPE_CHECKING:
    from collections.abc import Mapping

# classes that JSON writes in another form
WRITTEN: Mapping[str, Any] = {"Certificate": fields.Object, "Decimal": float, "Tour": fields.Object}
# fields of data classes that no object has
UNPRINTED = {OptgraphTables: ("tour", "verdict")}
SCALARS = {int: "integer", float: "number", str: "string", bool: "boolean", types.NoneType: "null"}
DIALECT = "https://json-schema.org/draft/2020-12/schema"


# the JSON of statistics that are not numbers
STATISTIC = {"CountTable": dict[str, int], "SymmetryTable": list[TourSymmetry], "MagicTable": fields.Object}
Measured = type("Measured", (), {"__annotations__": {
    statistic.__name__: NotRequired[Annotated[
        STATISTIC.get(inspect.signature(statistic).return_annotation.partition(" ")[0], float),
        (inspect.getdoc(statistic) or "").partition("\n")[0],
    ]]
    for statistic in STATISTICS
}})  # fmt: skip

Classes: TypeAlias = tuple[Any, ...]
TOUR: Classes = (fields.SubjectFields, fields.WalkFields)
VERDICT: Classes = (*TOUR, fields.SearchedFields)
OPEN: Any = dict[str, float | str | None]  # an object with further fields
TABLES: tuple[Classes, ...] = ((*TOUR, fields.CheckedFields), (fields.RowFields, OPEN))

OBJECTS: dict[str, tuple[Classes, ...]] = {
    "best": ((*TOUR, fields.BestFields), (fields.SubjectFields, fields.PathsFields, fields.BestFields)),
    "chain": (TOUR,),
    "check": ((fields.CheckedFileFields,),),
    "connected": ((fields.FromFields, fields.PairFields),),
    "continue": ((*VERDICT, fields.WrongTurnFields),),
    "convert": (TOUR,),
    "count": (
        (fields.SubjectFields, Count, fields.PartsFields),
        (fields.SubjectFields, Distribution),
        (fields.SubjectFields, fields.TermsFields),
        (fields.SubjectFields, fields.TermFields),
        (fields.EntryFields,),
    ),
    "decompose": TABLES,
    "degrees": ((fields.PlaceFields, fields.DegreesFields),),
    "draw": ((fields.DrawnFields,),),
    "fewest": (VERDICT,),
    "glue": ((*TOUR, fields.LevelsFields),),
    "links": ((fields.NodeLinksFields,),),
    "list": TABLES,
    "magic": TABLES,
    "measure": ((fields.SubjectFields, Measured),),
    "optgraph": ((OptgraphTables,),),
    "prove": ((*VERDICT, fields.TheoremsFields), VERDICT),
    "puzzle": ((fields.SubjectFields, fields.PuzzleFields), TOUR),
    "reproduce": ((fields.ReportFields,),),
    "roesselsprung": ((fields.RiddleFields,), (fields.SolutionFields,)),
    "sample": (*TABLES, (fields.RankFields,)),
    "sas": ((fields.SasRunFields,), (fields.SasProgramsFields,)),
    "solve": ((*TOUR, fields.SolutionsFields),),
    "studio": ((fields.AddressFields,),),
    "survey": ((fields.SurveyRowFields, OPEN),),
    "symmetries": ((fields.PlaceFields, fields.SymmetriesFields),),
    "theorem": ((fields.TheoremFields,), (fields.CatalogueFields,), (fields.BibliographyFields,)),
    "tour": (VERDICT,),
    "trace": ((fields.StepFields,),),
    "tsp": ((*TOUR, fields.WeightsFields),),
    "uncrossed": ((*TOUR, fields.UncrossedFields), (fields.SubjectFields, fields.LengthsFields)),
    "warnsdorff": ((*TOUR, fields.WrongTurnFields),),
}


def schema_of(command: str) -> dict[str, Any]:
    """Return the JSON Schema of the objects that a command prints with --json.

    Its `$id` names the minor version of cavalcade, within which no field is removed.

    Args:
        command: a command of `OBJECTS`.
    """
    minor = ".".join(__version__.split(".")[:2])
    # `status` comes first, and replaces the `status` of a data class, which has other words.
    objects = [_object((fields.AnswerFields, *classes, fields.AnswerFields)) for classes in OBJECTS[command]]
    return {
        "$schema": DIALECT,
        "$id": f"urn:cavalcade:{minor}:{command}",
        "title": f"An object that cavalcade {command} --json prints",
        "anyOf": [*objects, _object((fields.AnswerFields, fields.ReasonFields))],
    }


def _object(classes: Iterable[Any]) -> dict[str, Any]:
    """Return the schema of an object with the fields of several classes; a later class takes precedence."""
    properties: dict[str, Any] = {}
    required: dict[str, bool] = {}
    additional: Any = False
    for declared in classes:
        if get_origin(declared) is dict:
            additional = _schema(get_args(declared)[1])
            continue
        docs = dict(match[1:] for match in OPTION_HELP.findall(inspect.getdoc(declared) or ""))
        for name, hint in get_type_hints(declared, None, {**WRITTEN}, include_extras=True).items():
            if name not in UNPRINTED.get(declared, ()):
                text = " ".join(docs.get(name, "").split())
                about = {"description": text[:1].upper() + text[1:]} if text else {}
                required[name] = get_origin(hint) is not NotRequired
                properties[name] = about | _schema(hint)
    return {
        "type": "object",
        "properties": properties,
        "required": [name for name, needed in required.items() if needed],
        "additionalProperties": additional,
    }


def _schema(hint: Any) -> dict[str, Any]:
    """Return the schema of the values of a type."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is NotRequired:
        return _schema(arguments[0])
    if origin is Annotated:
        classes = [extra for extra in arguments[1:] if inspect.isclass(extra)]
        values = _object((arguments[0], *classes)) if classes else _schema(arguments[0])
        texts = [extra for extra in arguments[1:] if isinstance(extra, str)]
        return ({"description": texts[0]} if texts else {}) | values
    if origin in {Union, types.UnionType}:
        parts = [_schema(part) for part in arguments]
        scalar = all(part.keys() == {"type"} for part in parts)
        return {"type": [part["type"] for part in parts]} if scalar else {"anyOf": parts}
    if origin is Literal:
        return {"enum": [*arguments]}
    if origin in {list, tuple}:
        return {"type": "array", "items": _schema(arguments[0])}
    if origin is dict:
        return {"type": "object", "additionalProperties": _schema(arguments[1])}
    if hint is Any:
        return {}
    if hint in SCALARS:
        return {"type": SCALARS[hint]}
    if issubclass(hint, StrEnum):
        return {"enum": [*hint]}
    return _object((hint,))
